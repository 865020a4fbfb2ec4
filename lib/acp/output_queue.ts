/** Bytes on their way to an editor. One that does not read makes its writers wait, and nothing else. */
import { joinBytes } from "../event/bytes.ts";
import { pause } from "../platform/pause.ts";

/** Bytes that wait before a writer does. */
const MOST_WAITING = 256 * 1024;

/** Sends bytes in their order, those of several writes at once. */
export class OutputQueue {
  readonly #send: (bytes: Uint8Array) => Promise<void>;
  readonly #left = new AbortController();
  readonly #gone = Promise.withResolvers<never>();
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #sending: Promise<void> | undefined;
  /** Number of sends that have ended. */
  #sent = 0;

  /** @param send Sends bytes to the editor. Rejects once it has gone. */
  constructor(send: (bytes: Uint8Array) => Promise<void>) {
    this.#send = send;
    this.#gone.promise.catch(() => {/* each writer hears of it */});
  }

  /**
   * Takes bytes. Resolves when there is room for more.
   *
   * @throws Where the editor has gone, or nobody waits for it any more.
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

  /** Resolves when there is room for more. @throws As {@linkcode write}. */
  async room(): Promise<void> {
    if (this.#left.signal.aborted) await this.#gone.promise;
    if (this.#bytes > MOST_WAITING) await this.#sending;
  }

  /** Resolves when all is sent, or when nobody waits for the editor. */
  async drained(): Promise<void> {
    do {
      await this.#sending?.catch(() => {/* the editor has gone */});
      // What was to be written, or waited for room, comes now.
      await new Promise((done) => setTimeout(done));
    } while (this.#sending !== undefined);
  }

  /** Stops waiting for the editor. */
  leave(reason: unknown = new Error("The connection has ended")): void {
    this.#gone.reject(reason);
    this.#left.abort();
  }

  /** Stops waiting for the editor once it has read nothing for so long. */
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
