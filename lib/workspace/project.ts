/**
 * The directories of one project: a work tree of git with its other work trees, or else the
 * directory itself. Read from git's own files: no process is started.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { statSync } from "../platform/files.ts";
import { linkedGitFolder, readGitFile } from "./git_file.ts";
import { canonicalPath, isBelow } from "./namespace.ts";
import { realDirectory } from "./real_directory.ts";
import { isTooWide, workTreesOf } from "./work_trees.ts";

/**
 * The real directories that a directory's project consists of, its own first. What is below one of
 * them belongs to the project too.
 *
 * @param cwd An absolute path.
 */
export function projectDirectories(cwd: string): string[] {
  const here = realDirectory(cwd);
  const top = workTreeAround(here);
  if (top === undefined) return [here];
  return workTreesOf(top, commonFolder(top));
}

/** The folder `.git` of the repository that a directory is in, its main work tree's. */
export function commonGitFolder(cwd: string): string | undefined {
  const top = workTreeAround(realDirectory(cwd));
  return top === undefined ? undefined : commonFolder(top);
}

/** Whether a path is one of the directories, or below one. */
export function isInProject(path: string, directories: readonly string[]): boolean {
  const canonical = canonicalPath(path);
  return directories.some((directory) => isBelow(canonical, directory));
}

/** The work tree that a directory is in; undefined outside of any, and where it would be too wide. */
function workTreeAround(directory: string): string | undefined {
  for (let at = directory; !isTooWide(at); at = dirname(at)) {
    if (isThere(join(at, ".git"))) return at;
  }
  return undefined;
}

/** The folder `.git` of the main work tree. */
function commonFolder(top: string): string | undefined {
  const dotGit = join(top, ".git");
  if (isFolder(dotGit)) return dotGit;
  const folder = linkedGitFolder(top);
  if (folder === undefined) return undefined;
  const common = readGitFile(join(folder, "commondir"))?.trim();
  return common === undefined ? undefined : realDirectory(resolve(realDirectory(folder), common));
}

function isThere(path: string): boolean {
  // Nearly none is, and to be told so by an error takes fifteen times as long.
  if (!existsSync(path)) return false;
  try {
    const { isFile, isDirectory } = statSync(path);
    return isFile || isDirectory;
  } catch {
    // Not there, or not to be seen: no work tree of ours.
    return false;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory;
  } catch {
    // Gone meanwhile.
    return false;
  }
}
