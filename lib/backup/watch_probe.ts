/**
 * Asks whether notices still come: a file of the store is touched, and that must be told. A watcher
 * whose thread waits for a pipe tells nothing, and says nothing of it.
 */
import { join } from "node:path";
import { makeDirectories } from "../session/create_log.ts";
import { utimeSync, writeTextFileSync } from "../platform/files.ts";
import { type FolderWatch, watchFolder } from "../platform/watch_folder.ts";

const FOLDER = "watch-probe";
/** How often it is asked, and how long an answer may take on a machine that is busy. */
const TIMES = { ask_ms: 10_000, answer_ms: 8000 };

/** A watch that is expected to tell something. */
export class WatchProbe implements Disposable {
  readonly #file: string;
  readonly #times: typeof TIMES;
  #watch: FolderWatch | undefined;
  #asked_at = -Infinity;
  #answered_at = 0;

  /** @param folder Where the file is made that is touched. */
  constructor(folder: string, times = TIMES) {
    this.#times = times;
    const own = join(folder, FOLDER);
    this.#file = join(own, "touched");
    try {
      makeDirectories(own);
      writeTextFileSync(this.#file, "", { mode: 0o600 });
      this.#watch = watchFolder(own, {
        onChange: () => this.#answered_at = performance.now(),
        onLost: () => {},
      });
    } catch {
      // The disk is full, or nothing can be watched: that is told elsewhere.
    }
  }

  get #waits(): boolean {
    return this.#answered_at < this.#asked_at;
  }

  /** True where the last question has had no answer for too long. */
  get silent(): boolean {
    return this.#waits && performance.now() - this.#asked_at >= this.#times.answer_ms;
  }

  /** When there is something to do, by `performance.now()`. */
  get next(): number {
    if (this.#watch === undefined || this.silent) return Infinity;
    return this.#asked_at + (this.#waits ? this.#times.answer_ms : this.#times.ask_ms);
  }

  /** Asks, where it is time. A question without an answer stands. */
  ask(): void {
    const now = performance.now();
    if (this.#waits || now < this.next) return;
    this.#asked_at = now;
    try {
      utimeSync(this.#file, new Date(), new Date());
    } catch {
      // Without the file there is no answer: someone removed it.
      this[Symbol.dispose]();
    }
  }

  /** Ends the watch. */
  [Symbol.dispose](): void {
    this.#watch?.close();
    this.#watch = undefined;
  }
}
