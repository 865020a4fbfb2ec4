/** Tests if a path exists. An unreadable path counts as absent. Its later use reports the error. */
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

export function isFileThere(path: string): boolean {
  try {
    return statSync(path).isFile;
  } catch {
    return false;
  }
}

export function isFolderThere(path: string): boolean {
  try {
    return statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Returns the time of a file's last change in milliseconds, or 0 for a missing file. */
export function changeTime(path: string): number {
  try {
    return statSync(path).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}
