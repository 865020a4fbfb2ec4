/**
 * Checks whether two paths denote the same directory. Agents record a path as their shell spells
 * it, perhaps through a symbolic link.
 */
import { realPathSync } from "../../../core/platform/files.ts";
import { pathRules } from "../../../core/workspace/path_rules.ts";
import { isSamePath, localPath } from "../../../core/workspace/system_path.ts";

export function isSameFolder(recorded: string, wanted: string): boolean {
  return isSamePath(resolvedFolder(recorded), resolvedFolder(wanted), pathRules());
}

export function spellings(cwd: string): string[] {
  return [...new Set([cwd, resolvedFolder(cwd)])];
}

/** Returns a directory's path with symbolic links resolved. Unchanged if not on this machine. */
export function resolvedFolder(path: string): string {
  const local = localPath(path, pathRules());
  if (local === undefined) return path;
  try {
    return realPathSync(local);
  } catch {
    // NotFound, or not allowed: a directory that is gone has no other name.
    return path;
  }
}
