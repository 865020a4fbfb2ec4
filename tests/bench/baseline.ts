/**
 * What a program without Reprise would do with the same file: the measures that ours are held
 * against. Both keep nothing, check nothing and end at the first line that is no JSON.
 */

const CHUNK_BYTES = 1024 * 1024;

/** `TextDecoderStream`, split, `JSON.parse`: a Web-Streams pipeline, a batch of lines a chunk. */
export async function plainStreams(path: string): Promise<number> {
  let rest = "";
  const split = new TransformStream<string, string[]>({
    transform(text, controller): void {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      controller.enqueue(lines);
    },
  });
  const parse = new TransformStream<string[], unknown[]>({
    transform(lines, controller): void {
      controller.enqueue(lines.map((line) => JSON.parse(line)));
    },
  });
  const file = await Deno.open(path, { read: true });
  const events = file.readable.pipeThrough(new TextDecoderStream()).pipeThrough(split)
    .pipeThrough(parse);
  let count = 0;
  for await (const batch of events) count += batch.length;
  return count;
}

/** Read, split, `JSON.parse` in one synchronous loop. */
export function synchronousLoop(path: string): number {
  using file = Deno.openSync(path, { read: true });
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(CHUNK_BYTES);
  let rest = "";
  let count = 0;
  for (let read = file.readSync(buffer); read !== null; read = file.readSync(buffer)) {
    const lines = (rest + decoder.decode(buffer.subarray(0, read), { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      JSON.parse(line);
      count++;
    }
  }
  return count;
}
