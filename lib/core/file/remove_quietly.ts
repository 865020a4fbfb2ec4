/** Removes files that may be gone. */
import { removeSync } from "../platform/files.ts";

/**
 * Removes a file or an empty folder. A path that is missing, or is to stay, is no error.
 *
 * @param options A folder goes with its contents if `recursive`.
 */
export function removeQuietly(path: string, options?: { recursive: boolean }): void {
  try {
    removeSync(path, options);
  } catch {
    // The next use of the path reports it.
  }
}
