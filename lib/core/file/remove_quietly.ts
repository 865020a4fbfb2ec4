/** Removes files that may already be missing. */
import { removeSync } from "../platform/files.ts";

/**
 * Removes a file or an empty folder. Ignores all errors, such as a missing path or a folder that is
 * not empty.
 *
 * @param options `recursive`: true to remove a folder with its contents.
 */
export function removeQuietly(path: string, options?: { recursive: boolean }): void {
  try {
    removeSync(path, options);
  } catch {
    // The next use of the path reports it.
  }
}
