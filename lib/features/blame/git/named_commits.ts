/** Finds the commits that a name means: one commit, a range, or a branch's own commits. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { Repository } from "./repository.ts";

export interface CommitFacts {
  sha: string;
  /** The time at which the change was first committed, in seconds since 1970. */
  author_time: number;
  committer_time: number;
  /** The hash of the first parent; absent for the first commit. */
  parent?: string;
}

const RANGE = /^(.*?)\.\.\.?(.*)$/s;
/** Branch names to try if the remote repository names no default branch. */
const DEFAULTS = ["main", "master"];

/**
 * Returns the commits that a name means, the oldest first; undefined if git does not know the name. A
 * range and a branch leave out merges, whose lines came with other commits.
 *
 * @param name A commit, `A..B`, or a branch: its commits that the default branch does not have.
 * @throws {SessionError} `not-found` for a range with an unknown end.
 */
export async function namedCommits(
  repository: Repository,
  name: string,
): Promise<CommitFacts[] | undefined> {
  const [, from, to] = RANGE.exec(name) ?? [];
  if (from !== undefined) {
    const [first, last] = [await endOf(repository, from, name), await endOf(repository, to, name)];
    return await ownCommits(repository, [last, `^${first}`]);
  }
  const branch = await branchNamed(repository, name);
  if (branch !== undefined) {
    const defaults = await defaultBranch(repository, name, branch);
    return await ownCommits(repository, [branch, ...defaults.map((one) => `^${one}`)]);
  }
  const sha = await shaOf(repository, name);
  return sha === undefined ? undefined : await listed(repository, ["--no-walk", sha]);
}

async function shaOf(repository: Repository, name: string): Promise<string | undefined> {
  // A flag, or no name of git at all.
  if (name.startsWith("-") || /\p{Cc}/u.test(name)) return undefined;
  const found = await repository.ask(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  return found?.trim();
}

async function endOf(repository: Repository, end = "", range: string): Promise<string> {
  const sha = await shaOf(repository, end || "HEAD");
  if (sha !== undefined) return sha;
  const message = `Cannot blame ${range}: git knows no commit "${end || "HEAD"}" here. ` +
    "To list branches: git branch --all";
  throw new SessionError("not-found", message);
}

async function isRef(repository: Repository, ref: string): Promise<boolean> {
  return await repository.ask(["show-ref", "--verify", "--quiet", ref]) !== undefined;
}

async function branchNamed(repository: Repository, name: string): Promise<string | undefined> {
  for (const ref of [`refs/heads/${name}`, `refs/remotes/${name}`]) {
    if (await isRef(repository, ref)) return ref;
  }
  return undefined;
}

/** Returns the default branch's local and remote refs. Throws if `branch` is one of them. */
async function defaultBranch(
  repository: Repository,
  name: string,
  branch: string,
): Promise<string[]> {
  const remote = "refs/remotes/origin";
  const head = await repository.ask(["symbolic-ref", "--quiet", `${remote}/HEAD`]);
  const named = head?.trim().replace(`${remote}/`, "");
  for (const one of named === undefined ? DEFAULTS : [named]) {
    const refs: string[] = [];
    for (const ref of [`refs/heads/${one}`, `${remote}/${one}`]) {
      if (await isRef(repository, ref)) refs.push(ref);
    }
    if (refs.length === 0) continue;
    if (!refs.includes(branch)) return refs;
    throw without(
      name,
      `this is the default branch. Give a commit or a range instead: ${name}~5..${name}`,
    );
  }
  throw without(name, `no default branch was found. Give a range, such as OTHER..${name}`);
}

function without(name: string, reason: string): SessionError {
  return new SessionError("not-found", `Cannot blame ${name}: ${reason}`);
}

async function ownCommits(
  repository: Repository,
  ends: readonly string[],
): Promise<CommitFacts[]> {
  return await listed(repository, ["--topo-order", "--reverse", "--no-merges", ...ends]);
}

async function listed(repository: Repository, args: readonly string[]): Promise<CommitFacts[]> {
  const output = await repository.ask(["rev-list", "--format=%H %at %ct %P", ...args, "--"]);
  if (output === undefined) throw repository.damage();
  const commits = output.split("\n").filter((line) => /^\w{40,} /.test(line)).map((line) => {
    const [sha = "", author, committer, parent] = line.split(" ");
    const times = { author_time: Number(author), committer_time: Number(committer) };
    return { sha, ...times, ...parent ? { parent } : {} };
  });
  for (const { sha, parent } of commits) {
    if (parent === undefined) await refuseShallow(repository, sha);
  }
  return commits;
}

/** Throws for a commit whose parent a shallow clone lacks, because all its lines would seem new. */
async function refuseShallow(repository: Repository, sha: string): Promise<void> {
  const [head = ""] = (await repository.ask(["cat-file", "commit", sha]))?.split("\n\n") ?? [];
  if (!/^parent /m.test(head)) return;
  const reason = "this clone is shallow, and its history ends at this commit. To fetch the " +
    "earlier commits: git fetch --unshallow";
  throw without(sha.slice(0, 8), reason);
}
