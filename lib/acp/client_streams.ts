/** The streams of an editor. What it asked before its input ended is still answered. */
import { OutputQueue } from "./output_queue.ts";

/** What a program gives of its standard streams. */
export interface Streams {
  /** What the editor sends. */
  input: ReadableStream<Uint8Array>;
  /** Sends bytes to the editor. Rejects once it has gone. */
  send: (bytes: Uint8Array) => Promise<void>;
}

/** Milliseconds in which what was read last comes to its handler. */
const DISPATCH_MS = 20;
/** Milliseconds for which an editor may read nothing once its input has ended. */
const LAST_READ_MS = 10_000;

/** An editor's streams, and the requests that are being answered. */
export class ClientStreams {
  /**
   * What the editor sends. It waits while the editor does not read, and ends when all that was asked is
   * answered.
   */
  readonly input: ReadableStream<Uint8Array>;
  /** What the editor gets. */
  readonly output: WritableStream<Uint8Array>;
  /** Resolves when the editor's input has ended. */
  readonly ended: Promise<void>;
  readonly #queue: OutputQueue;
  readonly #running = new Set<Promise<unknown>>();

  constructor({ input, send }: Streams) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = new OutputQueue(send);
    const lines = new LineLimit();
    this.#queue = queue;
    this.ended = promise;
    this.output = new WritableStream({ write: (bytes) => queue.write(bytes) });
    this.input = input.pipeThrough(
      new TransformStream({
        transform: async (bytes, controller) => {
          await queue.room();
          for (const part of lines.take(bytes)) controller.enqueue(part);
        },
        flush: async () => {
          await new Promise((done) => setTimeout(done, DISPATCH_MS));
          resolve();
          void queue.leaveAfter(LAST_READ_MS);
          await this.settled();
        },
      }),
    );
  }

  /** Counts a request until it is answered. */
  async track<Result>(answer: Promise<Result>): Promise<Result> {
    this.#running.add(answer);
    try {
      return await answer;
    } finally {
      this.#running.delete(answer);
    }
  }

  /** Resolves when all requests are answered, and the editor has the answers. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    await this.#queue.drained();
  }

  /** Stops waiting for an editor that does not read. */
  leave(): void {
    this.#queue.leave();
  }
}

/** Bytes of a frame: a prompt may bring files. */
const MOST_FRAME_BYTES = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;
/** The end of a line that was cut: it makes no JSON of it, so that it is answered as such. */
const CUT = new TextEncoder().encode("!\n");

/** Passes lines on, and of one that is too long no more than fits. */
export class LineLimit {
  readonly #most: number;
  #bytes = 0;
  #is_cut = false;

  /** @param most Bytes of a line. @default {16 MiB} */
  constructor(most = MOST_FRAME_BYTES) {
    this.#most = most;
  }

  /** Yields what to pass on of bytes that came. */
  *take(bytes: Uint8Array): Generator<Uint8Array> {
    for (let start = 0; start < bytes.length;) {
      const feed = bytes.indexOf(LINE_FEED, start);
      const end = feed < 0 ? bytes.length : feed + 1;
      this.#bytes += end - start;
      if (!this.#is_cut) {
        this.#is_cut = this.#bytes > this.#most;
        yield this.#is_cut ? CUT : bytes.subarray(start, end);
      }
      if (feed >= 0) {
        this.#bytes = 0;
        this.#is_cut = false;
      }
      start = end;
    }
  }
}
