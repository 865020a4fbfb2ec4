/** Finds the path that a user means by a file that sessions changed. */
import { existsSync } from "node:fs";
import { commonGitFolder } from "./project.ts";
import { namedPath, sessionDirectory } from "./session_directory.ts";

/**
 * Returns the path of a file, or the end of a path that sessions changed anywhere. Outside a
 * repository a relative path is such an end, and inside one a name that no file here has.
 */
export function fileNamed(cwd: string, file: string): string {
  const path = namedPath(cwd, file);
  const is_place = sessionDirectory(file) !== undefined || /^\.{1,2}(?:[\\/]|$)/.test(file);
  if (is_place) return path;
  const is_inside = commonGitFolder(cwd) !== undefined;
  return is_inside && (/[\\/]/.test(file) || existsSync(path)) ? path : file;
}
