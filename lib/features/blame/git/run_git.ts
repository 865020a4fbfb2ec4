/** Runs git to read commits. It changes nothing in the repository. */
import type { ReadVariable } from "../../../core/workspace/data_root.ts";
import { guardedGit } from "../../../core/workspace/guarded_git.ts";

export interface GitPlace {
  cwd: string;
  variable: ReadVariable;
  limit_ms?: number;
}

/** Default time limit. Git may wait forever, because its config files may be pipes. */
const LIMIT_MS = 30_000;

/**
 * Runs a git command.
 *
 * @param input Text for git's standard input. @returns Git's output; undefined if git failed.
 * @throws {SessionError} `not-found` if there is no git; `too-large`; `unreachable` if git does not
 * answer in time.
 */
export async function runGit(
  { cwd, variable, limit_ms = LIMIT_MS }: GitPlace,
  args: readonly string[],
  input = "",
): Promise<Uint8Array | undefined> {
  // A hook of a commit is told the index that will be committed.
  const index = variable("GIT_INDEX_FILE");
  const variables = {
    GIT_OPTIONAL_LOCKS: "0",
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  };
  const folder = { cwd, variable, limit_ms, variables, action: "blame" };
  const { ok, bytes } = await guardedGit(folder, args, new TextEncoder().encode(input));
  return ok ? bytes : undefined;
}
