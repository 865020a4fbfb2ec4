/** Programs of the tests' own, from `children/`. */
import { fileURLToPath } from "node:url";

/** Path of a program, by its name. */
export function childPath(name: string): string {
  return fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url));
}

/** A program that runs: its words line by line, and how to end it. */
export class Child implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(name: string, args: readonly string[], env: Record<string, string> = {}) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", childPath(name), ...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
      env,
    }).spawn();
    this.#lines = linesOf(this.#process.stdout);
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** The next line; undefined at the end. */
  async line(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    return done ? undefined : value;
  }

  /** All lines from here on; waits for the end. */
  async rest(): Promise<string[]> {
    const lines: string[] = [];
    for (let line = await this.line(); line !== undefined; line = await this.line()) {
      lines.push(line);
    }
    return lines;
  }

  async write(text: string): Promise<void> {
    const writer = this.#process.stdin.getWriter();
    await writer.write(new TextEncoder().encode(text));
    writer.releaseLock();
  }

  kill(signal: Deno.Signal = "SIGKILL"): void {
    this.#process.kill(signal);
  }

  async status(): Promise<number> {
    return (await this.#process.status).code;
  }

  /** Kills it, if it still runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await this.rest();
    await this.#process.stdin.close().catch(() => {/* nobody reads it any more */});
    await this.#process.status;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
