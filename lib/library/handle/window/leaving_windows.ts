/** Closes windows that gave way to others. */
import type { SessionWindow } from "./session_window.ts";

/** Maximum number of windows that gave way and may still be read by a request. */
const MOST_LEAVING = 4;

/** Windows that gave way to others: each is closed when four more have given way. */
export class LeavingWindows {
  #windows: readonly SessionWindow[] = [];

  add(window: SessionWindow): void {
    const all = [...this.#windows, window];
    for (const one of all.slice(0, -MOST_LEAVING)) one.close();
    this.#windows = all.slice(-MOST_LEAVING);
  }

  close(): void {
    for (const one of this.#windows) one.close();
    this.#windows = [];
  }
}
