/**
 * The work trees of a git repository. An agent can write the files of its project. So a work tree
 * counts only if it and its repository name each other.
 */
import { basename, dirname, join, resolve } from "node:path";
import { lstatSync, readDirSync } from "../platform/files.ts";
import { mayReadVariable } from "../platform/permission.ts";
import { environmentVariable } from "../platform/process.ts";
import { linkedGitFolder, readGitFile } from "./git_file.ts";
import { isBelow } from "./namespace.ts";
import { realDirectory } from "./real_directory.ts";

/**
 * Returns the real work trees of the repository that a work tree belongs to, its own first. One that
 * the repository does not know stands alone.
 *
 * @param top A real path. @param common The repository's main folder of git.
 */
export function workTreesOf(top: string, common: string | undefined): string[] {
  if (common === undefined || realDirectory(common) !== common) return [top];
  const main = basename(common) === ".git" ? [dirname(common)] : [];
  const added = addedTrees(common);
  if (![...main, ...added].includes(top)) return [top];
  const trees = [...main, ...added.filter((tree) => !isAround(tree, [...main, top]))];
  return [...new Set([top, ...trees.filter((tree) => !isTooWide(tree))])];
}

/** True for the root, the user's home directory, and what is around it: all projects lie there. */
export function isTooWide(directory: string): boolean {
  if (dirname(directory) === directory) return true;
  const home = ["HOME", "USERPROFILE"].filter(mayReadVariable).map(environmentVariable)
    .find((value) => value !== undefined && value !== "");
  return home !== undefined && isBelow(realDirectory(home), directory);
}

function isAround(tree: string, others: readonly string[]): boolean {
  return others.some((other) => other !== tree && isBelow(other, tree));
}

/** The work trees that were added, whose own `.git` files lead back. */
function addedTrees(common: string): string[] {
  return namesIn(join(common, "worktrees")).flatMap((name) => {
    const folder = join(common, "worktrees", name);
    const dotGit = resolve(folder, readGitFile(join(folder, "gitdir"))?.trim() ?? "");
    const tree = realDirectory(dirname(dotGit));
    return basename(dotGit) === ".git" && leadsTo(tree, folder) ? [tree] : [];
  });
}

/** True if a work tree's own `.git` file names a real folder, and only its user writes the tree. */
function leadsTo(tree: string, folder: string): boolean {
  try {
    const of_all = (lstatSync(tree).mode ?? 0) & 0o002;
    if (of_all || !lstatSync(join(tree, ".git")).isFile) return false;
  } catch {
    // The work tree is gone.
    return false;
  }
  const named = linkedGitFolder(tree);
  return named !== undefined && realDirectory(folder) === folder && realDirectory(named) === folder;
}

function namesIn(path: string): string[] {
  try {
    return [...readDirSync(path)].map(({ name }) => name).sort();
  } catch {
    // There is no other work tree.
    return [];
  }
}
