/**
 * The names of the folders in a folder.
 */
import { SessionError } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { lstatSync, readDirSync } from "../platform/files.ts";
import { isNotADirectory, isNotFound } from "../platform/system_error.ts";

/** In the order of the system; links are none. Of a folder that is not there, none. */
export function folderNames(path: string): string[] {
  try {
    return [...readDirSync(path)].filter((entry) => entry.isDirectory).map(({ name }) => name);
  } catch (error) {
    if (isNotFound(error) || isNotADirectory(error)) {
      return [];
    }
    throw toSessionError(error, "list sessions", path);
  }
}

/**
 * As {@linkcode folderNames}, of a folder of the store itself: a link there could lead anywhere.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `io`
 */
export function ownFolderNames(path: string): string[] {
  if (isLink(path)) {
    const message = `Cannot read store: a link; put the folder itself there: ${path}`;
    throw new SessionError("unsafe-store", message, { path });
  }
  return folderNames(path);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymlink;
  } catch {
    // Not there, or not to be seen: listing it tells.
    return false;
  }
}
