/**
 * Tells whether two paths are the same directory. Agents record the path as their shell spells it,
 * perhaps through a symbolic link.
 */
import { realPathSync } from "../../platform/files.ts";
import { pathRules } from "../../workspace/path_rules.ts";
import { isSamePath, localPath } from "../../workspace/system_path.ts";

/** True if a recorded directory is the one that is asked for. */
export type FolderMatch = (recorded: string) => boolean;

/** Matches the directory `cwd`. Each recorded path is resolved once. */
export function folderMatch(cwd: string): FolderMatch {
  const wanted = resolvedFolder(cwd);
  const known = new Map<string, boolean>([[cwd, true], [wanted, true]]);
  return (recorded) => {
    const answer = known.get(recorded) ??
      isSamePath(resolvedFolder(recorded), wanted, pathRules());
    known.set(recorded, answer);
    return answer;
  };
}

/** Returns the known spellings of a directory: as given, and without links. */
export function spellings(cwd: string): string[] {
  return [...new Set([cwd, resolvedFolder(cwd)])];
}

/** Returns the path of a directory without links; the path itself if it is not on this machine. */
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
