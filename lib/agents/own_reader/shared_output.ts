/**
 * Shares the output of one run among several reads. A command may read a session several times, but
 * should start the reader program once.
 */
import { isAbsolute } from "node:path";
import { statSync } from "../../core/platform/files.ts";
import { readerOutput, type ReaderRun } from "./run_reader.ts";

/** Maximum bytes of output in memory for one run. `ALL_BYTES` is the maximum for all runs. */
const RUN_BYTES = 16 * 1024 * 1024;
const ALL_BYTES = 32 * 1024 * 1024;
/** Milliseconds within which two changes of a file may leave the same modification time. */
const SETTLED_MS = 50;
/** Milliseconds after a run's start in which its output is reused, even if a file just changed. */
const SOON_MS = 1000;

const runs = new Map<string, SharedRun>();

/**
 * Yields what a reader program prints. Uses the output of an earlier run while the program and the
 * named files are unchanged.
 *
 * @param files The files that the program names for the session.
 * @throws {SessionError} From the iterator, with the codes of {@linkcode readerOutput}
 */
export async function* sharedOutput(
  run: ReaderRun,
  files: readonly string[],
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const key = JSON.stringify([run.argv, run.asked]);
  const seen = lookAt([...files, ...run.argv.filter(isAbsolute)]);
  const known = runs.get(key);
  const shared = known?.isOf(seen) ? known : new SharedRun(run, seen);
  if (shared !== known) {
    runs.delete(key);
    runs.set(key, shared);
  }
  try {
    yield* shared.read(signal);
  } finally {
    if (!shared.is_kept && runs.get(key) === shared) runs.delete(key);
    dropOldest();
  }
}

function dropOldest(): void {
  let bytes = 0;
  for (const [key, run] of [...runs].reverse()) {
    bytes += run.bytes;
    if (bytes > ALL_BYTES) runs.delete(key);
  }
}

/** The state of files. `text` identifies it. `changed` is the latest change in Unix ms. */
interface Seen {
  text: string;
  changed: number;
}

function lookAt(paths: readonly string[]): Seen {
  const seen = { text: "", changed: 0 };
  for (const path of paths) {
    try {
      const { size, mtime, ino } = statSync(path);
      const time = mtime?.getTime() ?? 0;
      seen.text += `${path}\0${size} ${time} ${ino}\n`;
      seen.changed = Math.max(seen.changed, time);
    } catch {
      // A missing file is a state, too.
      seen.text += `${path}\0\n`;
    }
  }
  return seen;
}

/**
 * A run of the reader program with one output for several reads, each at its own pace. A read that
 * needs more output than arrived waits for the next chunk.
 */
class SharedRun {
  readonly #seen: Seen;
  readonly #begun = Date.now();
  readonly #stop = new AbortController();
  readonly #output: AsyncIterator<Uint8Array>;
  readonly #chunks: Uint8Array[] = [];
  #reads = 0;
  #pulling: Promise<void> | undefined;
  #ended = false;
  #failure: { error: unknown } | undefined;
  bytes = 0;

  constructor(run: ReaderRun, seen: Seen) {
    this.#seen = seen;
    this.#output = readerOutput(run, { signal: this.#stop.signal })[Symbol.asyncIterator]();
  }

  get is_kept(): boolean {
    return this.#failure === undefined && this.bytes <= RUN_BYTES &&
      (this.#ended || this.#reads > 0);
  }

  isOf({ text }: Seen): boolean {
    const { text: own, changed } = this.#seen;
    const is_sure = this.#begun - changed >= SETTLED_MS || Date.now() - this.#begun < SOON_MS;
    return text === own && this.is_kept && is_sure;
  }

  async *read(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => {});
    const abort = (): void => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", abort);
    this.#reads++;
    try {
      for (let at = 0;; at++) {
        while (at >= this.#chunks.length && !this.#ended) {
          await Promise.race([this.#pull(), aborted.promise]);
        }
        const chunk = this.#chunks[at];
        if (chunk === undefined) return;
        // Long output is not kept in memory for a single read.
        if (this.#reads === 1 && this.bytes > RUN_BYTES) this.#chunks[at] = NOTHING;
        yield chunk;
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#reads--;
      if (this.#reads === 0 && !this.#ended) await this.#end();
    }
  }

  #pull(): Promise<void> {
    return this.#pulling ??= this.#next().finally(() => this.#pulling = undefined);
  }

  async #next(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      const { done, value } = await this.#output.next();
      if (done === true) this.#ended = true;
      else {
        this.#chunks.push(value);
        this.bytes += value.length;
      }
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  async #end(): Promise<void> {
    this.#failure ??= { error: new Error("The output was left") };
    this.#stop.abort();
    await this.#pulling?.catch(() => {});
    await this.#output.return?.();
  }
}

const NOTHING = new Uint8Array();
