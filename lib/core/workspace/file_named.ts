/** Resolves a file name that a user typed, to find the sessions that changed the file. */
import { existsSync } from "node:fs";
import { commonGitFolder } from "./project.ts";
import { namedPath, sessionDirectory } from "./session_directory.ts";

/**
 * Returns the absolute path that a user means, or `file` unchanged. Callers compare an unchanged
 * relative path with the ends of paths. Outside a repository, a relative path becomes absolute only
 * if it begins with `./` or `../`. In one, all do, except the bare name of a missing file.
 */
export function fileNamed(cwd: string, file: string): string {
  const path = namedPath(cwd, file);
  const is_place = sessionDirectory(file) !== undefined || /^\.{1,2}(?:[\\/]|$)/.test(file);
  if (is_place) return path;
  const is_inside = commonGitFolder(cwd) !== undefined;
  return is_inside && (/[\\/]/.test(file) || existsSync(path)) ? path : file;
}
