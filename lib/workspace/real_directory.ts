/**
 * A directory by the one path that its sessions are kept under.
 */
import { basename, dirname, join, resolve } from "node:path";
import { realPathSync } from "../platform/files.ts";
import { mayRead } from "../platform/process.ts";
import { canonicalPath } from "./namespace.ts";

/**
 * Returns the real path of a directory. Returns the given path if the directory is missing or
 * unreadable.
 */
export function realDirectory(cwd: string): string {
  if (!mayRead(cwd)) return canonicalPath(resolve(cwd));
  try {
    return canonicalPath(realPathSync(cwd));
  } catch {
    // Gone or not to be entered: its sessions are still found by its name.
    return canonicalPath(resolve(cwd));
  }
}

/** Returns the real path of a folder, or the path that it would have if it existed. */
export function realPlace(path: string): string {
  const given = canonicalPath(resolve(path));
  if (!mayRead(given)) return given;
  try {
    return canonicalPath(realPathSync(given));
  } catch {
    const parent = dirname(given);
    return parent === given ? given : join(realPlace(parent), basename(given));
  }
}
