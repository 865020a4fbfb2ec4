/** Closes windows that newer windows replaced. */
import type { SessionWindow } from "./session_window.ts";

/** Maximum number of replaced windows that stay open, because a request may still read them. */
const MOST_LEAVING = 4;

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
