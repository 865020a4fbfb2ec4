/**
 * Finds the directories of one project: the work trees of a git repository. Outside a repository,
 * the project is the directory itself. Only git's own files are read, and no process is started. An
 * agent can write the files of its project. So a work tree counts only if the work tree and its
 * repository name each other.
 */
import { isFolderThere } from "../file/presence.ts";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { othersMay } from "../platform/file_mode.ts";
import { lstatSync, readDirSync, statSync } from "../platform/files.ts";
import { environmentVariable, mayReadVariable } from "../platform/process.ts";
import { linkedGitFolder, readGitFile } from "./git_file.ts";
import { pathRules } from "./path_rules.ts";
import { realDirectory } from "./real_directory.ts";
import { homeFolder } from "./home_folder.ts";
import { sessionDirectory } from "./session_directory.ts";
import { localPath, namesBelow } from "./system_path.ts";

/**
 * Returns the real paths of the project's directories, first the one around `cwd`. Directories
 * below these directories belong to the project, too.
 *
 * @param cwd An absolute path.
 */
export function projectDirectories(cwd: string): string[] {
  const here = realDirectory(cwd);
  const top = workTreeAround(here);
  if (top === undefined) return [here];
  return workTreesOf(top, commonFolder(top));
}

export function commonGitFolder(cwd: string): string | undefined {
  const top = workTreeAround(realDirectory(cwd));
  return top === undefined ? undefined : commonFolder(top);
}

/**
 * Matches a work tree that an agent made in a repository, such as `.claude/worktrees/NAME`. Work
 * trees of Codex and Cursor are in the home directory, and do not match.
 */
const AGENTS_TREE = /[/\\]\.(?:(?!codex|cursor)[\w-]+[/\\])?worktrees[/\\].+$/;

/**
 * Returns the main work tree of the repository around a session's directory, else that directory.
 * If an agent's work tree was removed, its path still leads to the repository.
 */
export function projectOf(written: string): string {
  const cwd = sessionDirectory(written)?.local;
  if (cwd === undefined) return oneSpelling(written.replace(AGENTS_TREE, "") || written);
  const around = cwd.replace(AGENTS_TREE, "");
  const first = around === "" || isTooWide(around) ? cwd : around;
  let there = first;
  while (!isFolderThere(there) && dirname(there) !== there) there = dirname(there);
  const common = commonGitFolder(there);
  if (common === undefined) return oneSpelling(first);
  const trees = projectDirectories(there);
  return trees.find((tree) => join(tree, ".git") === common) ?? trees.toSorted()[0] ?? first;
}

/**
 * Returns a Windows path with a capital drive letter and backslashes; other paths stay unchanged.
 * Programs write one path as `c:/dev` or `C:\dev`.
 */
function oneSpelling(path: string): string {
  return /^[a-z]:[\\/]/i.test(path)
    ? path.charAt(0).toUpperCase() + path.slice(1).replaceAll("/", "\\")
    : path;
}

export function isInProject(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => isBelow(path, directory));
}

function isBelow(path: string, directory: string): boolean {
  return namesBelow(directory, path, pathRules()) !== undefined;
}

/**
 * Returns the work tree around a directory. Undefined without a work tree, and if the work tree
 * contains the home directory.
 */
function workTreeAround(directory: string): string | undefined {
  if (localPath(directory, pathRules()) === undefined) return undefined;
  for (let at = directory; !isTooWide(at); at = dirname(at)) {
    if (isThere(join(at, ".git"))) return at;
  }
  return undefined;
}

/** Returns the `.git` folder of the main work tree, for any work tree of a repository. */
function commonFolder(top: string): string | undefined {
  const dotGit = join(top, ".git");
  if (isFolderThere(dotGit)) return dotGit;
  const folder = linkedGitFolder(top);
  if (folder === undefined) return undefined;
  const common = readGitFile(join(folder, "commondir"))?.trim();
  return common === undefined ? undefined : realDirectory(resolve(realDirectory(folder), common));
}

function isThere(path: string): boolean {
  // Nearly none exists, and an error takes fifteen times as long.
  if (!existsSync(path)) return false;
  try {
    const { isFile, isDirectory } = statSync(path);
    return isFile || isDirectory;
  } catch {
    // Not there, or not to be seen: no work tree of ours.
    return false;
  }
}

/**
 * Returns `top`, and the real paths of other work trees if the repository lists `top` as one.
 *
 * @param top A real path.
 * @param common The repository's main folder of git.
 */
function workTreesOf(top: string, common: string | undefined): string[] {
  if (common === undefined || realDirectory(common) !== common) return [top];
  const main = basename(common) === ".git" ? [dirname(common)] : [];
  const added = addedTrees(common);
  if (![...main, ...added].includes(top)) return [top];
  const trees = [...main, ...added.filter((tree) => !isAround(tree, [...main, top]))];
  return [...new Set([top, ...trees.filter((tree) => !isTooWide(tree))])];
}

/** True for the root, the home directory and its parents, as all projects are below these. */
function isTooWide(directory: string): boolean {
  if (dirname(directory) === directory) return true;
  const home = homeFolder((name) => mayReadVariable(name) ? environmentVariable(name) : undefined);
  return home !== undefined && isBelow(realDirectory(home), directory);
}

function isAround(tree: string, others: readonly string[]): boolean {
  return others.some((other) => other !== tree && isBelow(other, tree));
}

/** Returns a repository's linked work trees whose `.git` files point back to the repository. */
function addedTrees(common: string): string[] {
  return namesIn(join(common, "worktrees")).flatMap((name) => {
    const folder = join(common, "worktrees", name);
    const dotGit = resolve(folder, readGitFile(join(folder, "gitdir"))?.trim() ?? "");
    const tree = realDirectory(dirname(dotGit));
    return basename(dotGit) === ".git" && leadsTo(tree, folder) ? [tree] : [];
  });
}

/** True if a work tree's `.git` file names `folder`, and other users cannot write to the tree. */
function leadsTo(tree: string, folder: string): boolean {
  try {
    const of_all = othersMay("write_of_all", lstatSync(tree).mode);
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
