/**
 * Measures a session's folder, and checks if a store may be over a limit. Most stores are within
 * their limits, so a list need not read all logs.
 */
import { sep } from "node:path";
import { isSystemError } from "../../log/io_error.ts";
import { lstatSync, readDirSync } from "../../platform/files.ts";
import { sessionFolders } from "../session_folder.ts";

export interface FolderSize {
  bytes: number;
  /** Last change to the folder, or a file or folder in it, in milliseconds since 1970. */
  changed_ms: number;
}

export function folderSize(directory: string): FolderSize {
  const size: FolderSize = { bytes: 0, changed_ms: 0 };
  addEntry(size, directory);
  return size;
}

function addEntry(size: FolderSize, path: string): void {
  try {
    const info = lstatSync(path);
    size.changed_ms = Math.max(size.changed_ms, info.mtime?.getTime() ?? 0);
    if (info.isFile) size.bytes += info.size;
    if (!info.isDirectory) return;
    // As in a list of folders: to normalize each path takes as long as to look it up.
    for (const { name } of readDirSync(path)) addEntry(size, `${path}${sep}${name}`);
  } catch (error) {
    // Gone meanwhile, or not to be seen: what can be seen is counted.
    if (!isSystemError(error)) throw error;
  }
}

/**
 * True if a store may be over a limit. False only if it is surely within the limits. A folder's
 * name has the creation time of its session, and no update is earlier.
 *
 * @throws {SessionError} `permission`, `io`: of the store as a whole.
 */
export function mayExceed(
  root: string,
  { before, max_bytes = Infinity }: { before?: Date; max_bytes?: number },
): boolean {
  const folders = sessionFolders(root);
  const oldest = before?.toISOString() ?? "";
  if (folders.some(({ created_at }) => created_at < oldest)) return true;
  if (max_bytes === Infinity) return false;
  let bytes = 0;
  return folders.some(({ directory }) => (bytes += folderSize(directory).bytes) > max_bytes);
}
