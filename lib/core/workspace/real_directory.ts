/** Finds the real path of a directory. The directory's sessions are kept under this path. */
import { basename, dirname, join, resolve } from "node:path";
import { realPathSync } from "../platform/files.ts";
import { mayRead } from "../platform/process.ts";
import { canonicalPath } from "./namespace.ts";
import { pathRules } from "./path_rules.ts";
import { localPath } from "./system_path.ts";

/**
 * Returns the real path of a directory. Returns the given path if it is relative, or if the
 * directory is missing, unreadable or on another system.
 */
export function realDirectory(cwd: string): string {
  const local = localPath(cwd, pathRules());
  if (local === undefined) return canonicalPath(cwd);
  if (!mayRead(local)) return canonicalPath(resolve(local));
  try {
    return canonicalPath(realPathSync(local));
  } catch {
    // Gone or not to be entered: its sessions are still found by its name.
    return canonicalPath(resolve(local));
  }
}

/** Returns the real path of a folder. For a missing folder, returns the path that it would have. */
export function realPlace(path: string): string {
  const local = localPath(path, pathRules());
  if (local === undefined) return canonicalPath(path);
  const given = canonicalPath(resolve(local));
  if (!mayRead(given)) return given;
  try {
    return canonicalPath(realPathSync(given));
  } catch {
    const parent = dirname(given);
    return parent === given ? given : join(realPlace(parent), basename(given));
  }
}
