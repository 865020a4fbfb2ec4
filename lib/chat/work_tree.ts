/**
 * How the work tree stands, as git says.
 */

/** What git says of a directory. */
export interface WorkTree {
  /** Absent where none is checked out. */
  git_branch?: string;
  /** As `git status --short` says; absent outside a work tree. */
  git_status?: string;
}

const MAX_STATUS = 16_000;
const PATIENCE_MS = 3000;

/** Asks git; an empty answer where there is no work tree, no git, or none in time. */
export async function readWorkTree(cwd: string): Promise<WorkTree> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      // The repository's own settings may name a program to run: not by us, and not unasked.
      args: ["-c", "core.fsmonitor=false", "status", "--short", "--branch"],
      cwd,
      env: { GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).output();
    return success ? parseStatus(new TextDecoder().decode(stdout)) : {};
  } catch {
    // There is no git, or no such directory any more.
    return {};
  }
}

function parseStatus(text: string): WorkTree {
  const end = text.indexOf("\n");
  const head = end < 0 ? text : text.slice(0, end);
  const git_status = end < 0 ? "" : text.slice(end + 1).trimEnd().slice(0, MAX_STATUS);
  const branch = /^## (?:No commits yet on |Initial commit on )?(.+?)(?:\.\.\..*)?$/.exec(head)
    ?.[1];
  const detached = branch === undefined || branch === "HEAD (no branch)";
  return { git_status, ...(detached ? {} : { git_branch: branch }) };
}

/** What to tell of a branch that is not the one that it was; undefined where there is nothing to tell. */
export function branchChange(
  before: string | undefined,
  now: string | undefined,
): string | undefined {
  if (before === undefined || before === now) return undefined;
  return `The work tree was on branch ${before}, and is on ${now ?? "none"} now`;
}
