/** Writes and cancels marks which say that a directory moved. */
import { basename, dirname, join } from "node:path";
import { canonicalPath } from "../../workspace/namespace.ts";
import { realPlace } from "../../workspace/real_directory.ts";
import { sessionDirectory } from "../../workspace/session_directory.ts";
import { appendMark } from "../marks.ts";
import { relinkRef } from "../relinks.ts";

/**
 * Returns every spelling of a directory that sessions may have recorded. These are the path as
 * written, and its real path. A third path resolves all links but the last, which may lead to the
 * directory's new place.
 *
 * @param path An absolute path.
 */
export function directorySpellings(path: string): string[] {
  if (sessionDirectory(path)?.local === undefined) return [canonicalPath(path)];
  const parent = dirname(path);
  const name = parent === path ? path : join(realPlace(parent), basename(path));
  return [...new Set([path, name, realPlace(path)].map(canonicalPath))];
}

export function relinkDirectories(
  root: string,
  spellings: readonly string[],
  to: string,
  time: string,
): void {
  for (const from of spellings) appendMark(root, { ref: relinkRef(from), relinked: to, time });
}

/** Appends marks that cancel the relinks of directories. */
export function unlinkDirectories(root: string, spellings: readonly string[], time: string): void {
  for (const from of spellings) appendMark(root, { ref: relinkRef(from), relinked: from, time });
}
