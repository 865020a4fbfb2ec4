/** Captures a bundle's work tree as one patch, and makes it again from a commit and the patch. */
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { isThere } from "../../../core/file/presence.ts";
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  realPathSync,
  statSync,
  utimeSync,
} from "../../../core/platform/files.ts";
import { TemporaryFolder } from "../../../core/log/temporary_folder.ts";
import { type GitFolder, guardedGit, withoutFilters } from "../../../core/workspace/guarded_git.ts";
import type { BundleCommit } from "./manifest.ts";

/** Maximum bytes of a patch, and of untracked files that a patch takes in. */
export const MOST_PATCH_BYTES = 256 * 1024 * 1024;

export interface WorkTree extends BundleCommit {
  top: string;
}

/** Describes the work tree around a folder; undefined outside of git or without a commit. */
export async function workTreeAt(git: GitFolder): Promise<WorkTree | undefined> {
  const { ok, text } = await guardedGit(git, ["rev-parse", "--show-toplevel", "HEAD"]);
  const [top = "", commit = ""] = text.split("\n");
  if (!ok || commit === "") return undefined;
  const branch = (await guardedGit(git, ["symbolic-ref", "--short", "-q", "HEAD"])).text;
  const url = (await guardedGit(git, ["config", "--get", "remote.origin.url"])).text;
  // A remote's address may hold a password.
  const remote = url.replace(/^(\w+:\/\/)[^/@]*@/, "$1");
  return {
    ...{ top, commit },
    ...(branch === "" ? {} : { branch }),
    ...(remote === "" ? {} : { remote }),
  };
}

/**
 * Returns all changes of a work tree since its commit as a binary patch. Ignored files are left out,
 * and the repository is not changed.
 *
 * @throws {SessionError} `too-large`; `io` if git cannot read the work tree
 */
export async function capturePatch(given: GitFolder, top: string): Promise<Uint8Array> {
  const git = { ...await withoutFilters(given), cwd: top };
  const listed = await guardedGit(git, ["ls-files", "--others", "--exclude-standard", "-z"]);
  const others = listed.text.split("\0").filter((name) => name !== "");
  const bytes = others.reduce((sum, name) => sum + sizeOf(join(top, name)), 0);
  if (bytes > MOST_PATCH_BYTES) {
    const message = "Cannot send the work tree: its untracked files are larger than 256 MB. " +
      "Add them to .gitignore, or leave out the patch: --no-patch";
    throw new SessionError("too-large", message, { path: top });
  }
  const wanted = ["--git-path", "index", "--git-path", "objects"];
  const paths = await guardedGit(git, ["rev-parse", "--path-format=absolute", ...wanted]);
  const [index = "", objects = ""] = paths.text.split("\n");
  // Git gets an index and an object folder of its own, so that nothing is written to the repository.
  using folder = new TemporaryFolder("copy");
  const own = { index: join(folder.path, "index"), objects: join(folder.path, "objects") };
  mkdirSync(own.objects, { mode: 0o700 });
  if (isThere(index)) {
    copyFileSync(index, own.index);
    // Git looks again into files that changed in the index's own second.
    const time = statSync(index).mtime ?? new Date(0);
    utimeSync(own.index, time, time);
  }
  const variables = {
    GIT_INDEX_FILE: own.index,
    GIT_OBJECT_DIRECTORY: own.objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  };
  const private_git = { ...git, variables };
  const added = await guardedGit(private_git, ["add", "--all", "--", "."]);
  const forms = ["--binary", "--full-index", "--no-ext-diff", "--no-textconv", "--no-renames"];
  const places = ["--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/"];
  const args = ["diff", "--cached", ...forms, ...places, "HEAD"];
  const patch = await guardedGit(private_git, args);
  if (added.ok && patch.ok && patch.bytes.length <= MOST_PATCH_BYTES) return patch.bytes;
  const reason = added.reason || patch.reason || "the patch is larger than 256 MB";
  const message = `Cannot send the work tree: ${reason}. To leave out the patch: --no-patch`;
  throw new SessionError("io", message, { path: top });
}

function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    // The file was removed meanwhile.
    return 0;
  }
}

export interface PatchFile {
  /** Path below the work tree's top folder, with `/` between names. */
  name: string;
  /** True for a symbolic link or a submodule. */
  link: boolean;
}

/** @throws {SessionError} `damaged` if git cannot read the patch */
export async function patchFiles(
  { variable }: Pick<GitFolder, "variable">,
  patch: Uint8Array,
): Promise<PatchFile[]> {
  if (patch.length === 0) return [];
  // Below the top of a repository, git would leave out all other files.
  using folder = new TemporaryFolder("copy");
  const variables = { GIT_CEILING_DIRECTORIES: dirname(realPathSync(folder.path)) };
  const git = { cwd: folder.path, variable, variables };
  const [counted, summary] = [
    await guardedGit(git, ["apply", "--numstat", "-z"], patch),
    await guardedGit(git, ["apply", "--summary"], patch),
  ];
  const names = counted.text.split("\0").filter((entry) => entry !== "")
    .map((entry) => entry.split("\t").slice(2).join("\t"));
  const links = [...summary.text.matchAll(/(?:mode|=>) 1[26]0000 (.*)$/gm)]
    .map(([, name = ""]) => name);
  if (counted.ok && links.every((name) => names.includes(name))) {
    return names.map((name) => ({ name, link: links.includes(name) }));
  }
  const reason = counted.reason || "the name of a link has characters that are not allowed";
  throw new SessionError("damaged", `Cannot read the sent patch: ${reason}`);
}

export async function hasCommit(git: GitFolder, commit: string): Promise<boolean> {
  return (await guardedGit(git, ["cat-file", "-e", `${commit}^{commit}`])).ok;
}

export function newWorkTreePath(top: string, id: string): string {
  const base = join(dirname(top), `${basename(top)}-${id.replace(/[^\w-]/g, "").slice(0, 8)}`);
  let path = base;
  for (let number = 2; isThere(path); number++) path = `${base}-${number}`;
  return path;
}

async function addArguments(
  git: GitFolder,
  path: string,
  { branch, commit }: Pick<BundleCommit, "branch" | "commit">,
): Promise<string[]> {
  const valid = branch !== undefined &&
    (await guardedGit(git, ["check-ref-format", `refs/heads/${branch}`])).ok;
  const free = valid &&
    !(await guardedGit(git, ["rev-parse", "--verify", "-q", `refs/heads/${branch}`])).ok;
  const place = free ? ["-b", branch] : ["--detach"];
  return ["worktree", "add", ...place, "--", path, commit];
}

/**
 * Adds a work tree, with hooks and filters off.
 *
 * @returns A function that removes the work tree and its new branch again.
 * @throws {SessionError} `io` with git's reason
 */
export async function addWorkTree(
  given: GitFolder,
  path: string,
  at: Pick<BundleCommit, "branch" | "commit">,
): Promise<() => Promise<void>> {
  const git = await withoutFilters(given);
  const args = await addArguments(git, path, at);
  const { ok, reason } = await guardedGit(git, args);
  if (!ok) throw new SessionError("io", `Cannot add a work tree: ${reason}`, { path });
  return async () => {
    await guardedGit(git, ["worktree", "remove", "--force", "--", path]);
    if (args[2] === "-b") await guardedGit(git, ["branch", "-D", "--", args[3] ?? ""]);
  };
}

export interface LostWorkTree {
  /** Absolute path of the repository's top folder. */
  top: string;
  args: readonly string[];
}

/**
 * Finds the repository around a folder, if it lists a missing work tree or has the work tree's
 * branch.
 *
 * @param directory Absolute path of the missing work tree, or of a folder in it.
 */
export async function lostWorkTree(
  git: GitFolder,
  directory: string,
  branch: string,
): Promise<LostWorkTree | undefined> {
  const tree = await workTreeAt(git);
  if (tree === undefined) return undefined;
  const { text } = await guardedGit(git, ["worktree", "list", "--porcelain"]);
  for (const entry of text.split("\n\n")) {
    const path = /^worktree (.*)$/m.exec(entry)?.[1];
    if (path === undefined || !`${directory}/`.startsWith(`${path}/`)) continue;
    const at = /^branch refs\/heads\/(.*)$/m.exec(entry)?.[1];
    const commit = /^HEAD ([0-9a-f]+)$/m.exec(entry)?.[1] ?? "HEAD";
    const place = at === undefined ? ["--detach", path, commit] : [path, at];
    return isThere(path) ? undefined : { top: tree.top, args: ["worktree", "add", "-f", ...place] };
  }
  const known = await guardedGit(git, ["rev-parse", "-q", "--verify", `refs/heads/${branch}`]);
  return known.ok ? { top: tree.top, args: ["worktree", "add", directory, branch] } : undefined;
}

/**
 * Runs git with hooks and filters off.
 *
 * @throws {SessionError} `io` with git's reason
 */
export async function addAgain(git: GitFolder, { top, args }: LostWorkTree): Promise<void> {
  const { ok, reason } = await guardedGit(await withoutFilters({ ...git, cwd: top }), args);
  if (!ok) throw new SessionError("io", `Cannot add a work tree: ${reason}`, { path: top });
}

/**
 * Applies a patch to a work tree: all of its files, or none. Git refuses paths outside of the work
 * tree, in `.git`, and behind links.
 *
 * @param left_out Names of files to leave out.
 * @param reverse True to undo the patch.
 * @throws {SessionError} `changed` if the patch does not fit
 */
export async function applyPatch(
  given: GitFolder,
  patch: Uint8Array,
  left_out: readonly string[] = [],
  reverse = false,
): Promise<void> {
  const git = await withoutFilters(given);
  const excluded = left_out.map((name) => `--exclude=${name.replace(/[\\*?[\]]/g, "\\$&")}`);
  const { ok, reason } = await guardedGit(
    git,
    ["apply", "--whitespace=nowarn", ...(reverse ? ["--reverse"] : []), ...excluded],
    patch,
  );
  if (ok) return;
  const message = `Cannot apply the sent patch: ${reason}. Nothing was changed. ` +
    "To take the session without the patch: --no-patch";
  throw new SessionError("changed", message, { path: given.cwd });
}
