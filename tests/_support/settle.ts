/** Files that have just been written: the catalogue does not remember them yet. */
import { SETTLED_MS } from "../../lib/library/catalogue/catalogue_options.ts";

/** Waits until all files that were written are old enough to be remembered: their clock is coarse. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2 * SETTLED_MS));
}

/** Waits until another second has begun: the system tells a change of the inode in whole seconds. */
export function nextSecond(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1100 - Date.now() % 1000));
}
