/** Tells when a file changes: its size or its time. Looks now and then, for that works everywhere. */
import { statSync } from "../../lib/platform/files.ts";

const PERIOD_MS = 300;

/** A file that is looked at until it is closed. */
export class FileWatch {
  readonly #timer: ReturnType<typeof setInterval>;
  #state: string;

  /** @param path The file. A database writes beside it first. */
  constructor(path: string, onChange: () => void) {
    this.#state = stateOf(path);
    this.#timer = setInterval(() => {
      const state = stateOf(path);
      if (state === this.#state) return;
      this.#state = state;
      onChange();
    }, PERIOD_MS);
  }

  /** Looks no more. */
  close(): void {
    clearInterval(this.#timer);
  }
}

function stateOf(path: string): string {
  return [path, `${path}-wal`].map((file) => {
    try {
      const { size, mtime } = statSync(file);
      return `${size} ${mtime?.getTime()}`;
    } catch {
      // Not there, or not any more.
      return "";
    }
  }).join();
}
