/**
 * Marking that a directory moved, or that it did not.
 */
import { basename, dirname, join } from "node:path";
import { realPathSync } from "../../platform/files.ts";
import { canonicalPath } from "../../workspace/namespace.ts";
import { appendMark } from "../marks.ts";
import { relinkRef } from "../relinks.ts";

/** The real path as far as there is one, and the rest as it was given. */
function realAsFar(path: string): string {
  try {
    return realPathSync(path);
  } catch {
    // Gone, or not to be entered: what is above it may have a real path.
    const parent = dirname(path);
    return parent === path ? path : join(realAsFar(parent), basename(path));
  }
}

/**
 * Every path by which sessions can have known a directory, whether it is still there or not: as it is
 * written, and its real one; without the last link, which may lead to where it has moved.
 *
 * @param path An absolute path.
 */
export function directorySpellings(path: string): string[] {
  const parent = dirname(path);
  const name = parent === path ? path : join(realAsFar(parent), basename(path));
  return [...new Set([path, name, realAsFar(path)].map(canonicalPath))];
}

/** Marks that what belongs to directories belongs to another one from now on. */
export function relinkDirectories(
  root: string,
  spellings: readonly string[],
  to: string,
  time: string,
): void {
  for (const from of spellings) appendMark(root, { ref: relinkRef(from), relinked: to, time });
}

/** Takes back all relinks of directories. */
export function unlinkDirectories(root: string, spellings: readonly string[], time: string): void {
  for (const from of spellings) appendMark(root, { ref: relinkRef(from), relinked: from, time });
}
