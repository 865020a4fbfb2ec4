/** Removes files that may be gone. */
import { removeSync } from "../platform/files.ts";

/** Removes a file or an empty folder. A path that is missing, or is to stay, is no error. */
export function removeQuietly(path: string): void {
  try {
    removeSync(path);
  } catch {
    // The next use of the path reports it.
  }
}
