/**
 * Reads Git's own files: `.git` links and the branch. Git itself is never started, because a
 * repository's settings name programs that it would run.
 */
import { dirname, isAbsolute, join } from "node:path";
import { isFileThere } from "../file/presence.ts";
import { shortTextIn } from "../file/short_file.ts";

const GIT_BYTES = 64 * 1024;

/** Reads a file of git; undefined if it is absent, too long, or not a regular file. */
export function readGitFile(path: string): string | undefined {
  return shortTextIn(path, GIT_BYTES);
}

export function linkedGitFolder(top: string): string | undefined {
  const link = readGitFile(join(top, ".git"))?.match(/^gitdir: (.+)$/m)?.[1]?.trim();
  if (link === undefined) return undefined;
  return isAbsolute(link) ? link : join(top, link);
}

/** Content of `HEAD` in a repository whose branches are in reftables, which are not supported. */
const IN_TABLES = "refs/heads/.invalid";

/** Returns the folder with the `HEAD` of the work tree around a directory. */
export function gitFolder(directory: string): string | undefined {
  for (let at = directory;; at = dirname(at)) {
    const folder = join(at, ".git");
    if (isFileThere(join(folder, "HEAD"))) return folder;
    const linked = linkedGitFolder(at);
    if (linked !== undefined) return linked;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Reads the branch that a directory's work tree is on.
 *
 * @param directory An absolute path.
 * @returns The branch's name, or another reference in `HEAD`; without a reference, the first 12
 * digits of the commit. Undefined outside a work tree, and if the repository keeps its branches in
 * reftables.
 */
export function gitBranch(directory: string): string | undefined {
  const folder = gitFolder(directory);
  const head = folder && readGitFile(join(folder, "HEAD"));
  if (head === undefined) return undefined;
  // Git allows neither spaces nor control characters in a name.
  const name = /^ref:\s*([^ \p{Cc}]+)\s*$/u.exec(head)?.[1];
  if (name === undefined) return /^[0-9a-f]{40,64}$/.exec(head.trim())?.[0].slice(0, 12);
  return name === IN_TABLES ? undefined : name.replace(/^refs\/heads\//, "");
}
