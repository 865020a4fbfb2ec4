/** A stream stage that starts at its first pull, and cancels its source if it ends early. */

/** A stage that encrypts or decrypts the bytes that are piped through it. */
export interface SealStream {
  /** The stream to which the source's bytes are written. */
  writable: WritableStream<Uint8Array>;
  /** The stream of the encrypted or decrypted bytes. */
  readable: ReadableStream<Uint8Array>;
}

interface Input {
  readable: ReadableStream<Uint8Array>;
  failed: () => { error: unknown } | undefined;
  cancel: (reason: unknown) => Promise<void>;
}

/**
 * Wraps a source so that it can always be cancelled. The age implementation keeps its reader after
 * a damaged header, and a locked stream cannot be cancelled.
 */
function heldInput(source: ReadableStream<Uint8Array>): Input {
  const reader = source.getReader();
  let failure: { error: unknown } | undefined;
  let cancelled = false;
  async function read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    try {
      return await reader.read();
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  const readable = new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      const { done, value } = await read();
      // A read that waits ends when the stream is cancelled.
      if (cancelled) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason): Promise<void> {
      cancelled = true;
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return { readable, failed: () => failure, cancel: (reason) => reader.cancel(reason) };
}

/**
 * Makes a stage from a function that turns one stream into another.
 *
 * @param start Returns the output for the input. It is called at the first pull.
 * @param toError Returns the error to throw for an error of `start` or its output. It also gets the
 * number of bytes given before. Errors of the source are thrown unchanged.
 */
export function streamThrough(
  start: (input: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
  toError: (error: unknown, given_bytes: number) => unknown,
): SealStream {
  const { readable: source, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const input = heldInput(source);
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let given = 0;
  const readable = new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      try {
        reader ??= (await start(input.readable)).getReader();
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          // An empty file has an empty chunk.
          if (value.length === 0) continue;
          given += value.length;
          return controller.enqueue(value);
        }
      } catch (error) {
        const failed = input.failed();
        const thrown = failed === undefined ? toError(error, given) : failed.error;
        if (failed === undefined) await input.cancel(thrown);
        throw thrown;
      }
    },
    async cancel(reason): Promise<void> {
      await reader?.cancel(reason);
      await input.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return { readable, writable };
}
