/** Tells whether something has a name. What cannot be looked at is not there; who uses it is told. */
import { lstatSync, statSync } from "../platform/files.ts";

/** True if the path exists, even as a dangling link. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** True if the path leads to a regular file. */
export function isFileThere(path: string): boolean {
  try {
    return statSync(path).isFile;
  } catch {
    return false;
  }
}
