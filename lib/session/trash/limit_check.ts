/**
 * Tells from names and sizes whether pruning would remove anything. Most stores are within their
 * limits, so a list need not read all logs.
 */
import { sessionFolders } from "../session_folder.ts";
import { folderSize } from "./folder_size.ts";
import type { PruneOptions } from "./prune_sessions.ts";

/**
 * Whether a store may be over a limit: false only where it is not. No session was updated before it
 * was made, and when that was, its folder's name says.
 *
 * @throws {SessionError} `permission`, `io`: of the store as a whole.
 */
export function mayExceed(
  root: string,
  { before, max_bytes = Infinity }: Pick<PruneOptions, "before" | "max_bytes">,
): boolean {
  const folders = sessionFolders(root);
  const oldest = before?.toISOString() ?? "";
  if (folders.some(({ created_at }) => created_at < oldest)) return true;
  if (max_bytes === Infinity) return false;
  let bytes = 0;
  return folders.some(({ directory }) => (bytes += folderSize(directory).bytes) > max_bytes);
}
