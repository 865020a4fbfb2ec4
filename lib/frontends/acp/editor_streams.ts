/** The streams from and to an editor. Requests are answered even after the input has ended. */
import { joinBytes } from "../../core/event/bytes.ts";
import { pause } from "../../core/platform/pause.ts";

export interface Streams {
  input: ReadableStream<Uint8Array>;
  /** Sends bytes to the editor. Rejects once the editor has gone. */
  send: (bytes: Uint8Array) => Promise<void>;
}

/** Milliseconds that the handlers need to receive the last input. */
const DISPATCH_MS = 20;
/** Milliseconds to wait, after the input's end, for an editor that reads nothing. */
const LAST_READ_MS = 10_000;

export class EditorStreams {
  /**
   * The bytes from the editor. They pause while the editor does not read the output. They end once
   * all requests are answered.
   */
  readonly input: ReadableStream<Uint8Array>;
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

  leave(): void {
    this.#queue.leave();
  }
}

/** Maximum bytes of a line from the editor. A prompt may contain files. */
const MOST_FRAME_BYTES = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;
/** The end of a cut line. It makes the JSON invalid, so that the editor gets an error. */
const CUT = new TextEncoder().encode("!\n");

export class LineLimit {
  readonly #most: number;
  #bytes = 0;
  #is_cut = false;

  constructor(most = MOST_FRAME_BYTES) {
    this.#most = most;
  }

  /** Yields the bytes of a chunk. `CUT` replaces the rest of a line that is too long. */
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

/** Number of queued bytes above which writers wait. */
const MOST_WAITING = 256 * 1024;

/** Sends bytes in order, and joins the bytes of several writes. */
export class OutputQueue {
  readonly #send: (bytes: Uint8Array) => Promise<void>;
  readonly #left = new AbortController();
  readonly #gone = Promise.withResolvers<never>();
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #sending: Promise<void> | undefined;
  #sent = 0;

  constructor(send: (bytes: Uint8Array) => Promise<void>) {
    this.#send = send;
    this.#gone.promise.catch(() => {/* each writer hears of it */});
  }

  /**
   * Queues bytes. Resolves when the queue can take more.
   *
   * @throws If the editor has gone, or {@linkcode leave} was called.
   */
  async write(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#sending === undefined) {
      this.#sending = this.#sendAll();
      this.#sending.catch(() => {/* the next writer hears of it */});
    }
    await this.room();
  }

  /** Resolves when the queue can take more bytes. @throws As {@linkcode write}. */
  async room(): Promise<void> {
    if (this.#left.signal.aborted) await this.#gone.promise;
    if (this.#bytes > MOST_WAITING) await this.#sending;
  }

  /** Resolves when all bytes are sent, or after {@linkcode leave}. */
  async drained(): Promise<void> {
    do {
      await this.#sending?.catch(() => {/* the editor has gone */});
      // Waiting writers run now.
      await new Promise((done) => setTimeout(done));
    } while (this.#sending !== undefined);
  }

  leave(reason: unknown = new Error("The connection has ended")): void {
    this.#gone.reject(reason);
    this.#left.abort();
  }

  /** Stops waiting for the editor once it has read nothing for `milliseconds`. */
  async leaveAfter(milliseconds: number): Promise<void> {
    const { signal } = this.#left;
    while (!signal.aborted) {
      const before = this.#sending === undefined ? -1 : this.#sent;
      await pause(milliseconds, signal);
      if (this.#sent === before) this.leave();
    }
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const bytes = joinBytes(this.#waiting);
        this.#waiting = [];
        this.#bytes = 0;
        await Promise.race([this.#send(bytes), this.#gone.promise]);
        this.#sent++;
      }
    } catch (error) {
      this.leave(error);
      throw error;
    } finally {
      this.#sending = undefined;
    }
  }
}
