/**
 * Recognizes git's own files in a directory. Their settings name programs that git runs, at the
 * latest when the user asks git for something.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { realPath } from "./tool_input.ts";

/**
 * Whether a path leads to git's own files, by links as well: to `.git` or below it, or into the
 * folder of a repository that has another name. A file that would make a folder such a one counts.
 */
export function isGitsOwn(path: string, cwd: string): boolean {
  const given = resolve(cwd, path);
  return [given, realPath(given)].some((path) => namesGit(path) || isInRepository(path));
}

function namesGit(path: string): boolean {
  return path.split(/[\\/]/).some(isGitName);
}

/** Characters that a file system of macOS passes over in names. */
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether some file system takes a name for `.git`: any case, a stream of it, its short name. */
function isGitName(name: string): boolean {
  const [file = ""] = name.replaceAll(PASSED_OVER, "").toLowerCase().split(":");
  const bare = file.replace(/[ .]+$/, "");
  return bare === ".git" || /^git~\d+$/.test(bare);
}

/** A folder is taken for a repository by what is in it: a bare one, or one that `.git` names. */
function isInRepository(path: string): boolean {
  for (let below = path, folder = dirname(path); folder !== below; folder = dirname(folder)) {
    const child = below.slice(folder.length).replace(/^[\\/]/, "").toLowerCase();
    const has = (name: string): boolean =>
      child === name.toLowerCase() || existsSync(join(folder, name));
    if (has("HEAD") && (has("objects") && has("refs") || has("commondir"))) return true;
    below = folder;
  }
  return false;
}
