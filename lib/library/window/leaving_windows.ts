/** Closes windows that gave way to others. */
import type { SessionWindow } from "./session_window.ts";

/** As many requests may still read windows that gave way. */
const MOST_LEAVING = 4;

/** Windows that gave way to others: each is closed when four more have given way. */
export class LeavingWindows {
  #windows: readonly SessionWindow[] = [];

  /** Takes a window that nobody will ask for anew. */
  add(window: SessionWindow): void {
    const all = [...this.#windows, window];
    for (const one of all.slice(0, -MOST_LEAVING)) one.close();
    this.#windows = all.slice(-MOST_LEAVING);
  }

  /** Closes all of them. */
  close(): void {
    for (const one of this.#windows) one.close();
    this.#windows = [];
  }
}
