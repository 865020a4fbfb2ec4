/**
 * Reads which commits were made in a work tree from the log of its `HEAD`. Git is not started: see
 * `git_file.ts`. Format: `logs/HEAD` of git 2.39, one line a change: `OLD NEW NAME <MAIL> SECONDS
 * ZONE<TAB>ACTION: SUBJECT`.
 */
import { join } from "node:path";
import { shortTextIn } from "../file/short_file.ts";
import { gitFolder } from "./git_file.ts";

export interface Commit {
  hash: string;
  /** The time in milliseconds since 1970. */
  at: number;
  subject: string;
}

/** Maximum bytes of a log to read: some 50,000 changes. Git forgets changes after 90 days. */
const LOG_BYTES = 8 * 1024 * 1024;
const LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d{1,12}) [+-]\d{4}\t([^:]+): (.*)$/;
/** Matches actions that make a commit. A rebase does not count: it repeats known commits. */
const MAKING = /^(?:commit(?: \(\w+\))?|cherry-pick|revert)$/;

/**
 * Returns the commits that were made in a directory's work tree, oldest first. Of an amended
 * commit, only the new commit is returned. Empty outside a work tree, and if git keeps no log.
 *
 * @param directory An absolute path.
 */
export function commitsIn(directory: string): Commit[] {
  const folder = gitFolder(directory);
  const made = new Map<string, Commit>();
  const log = folder === undefined
    ? undefined
    : shortTextIn(join(folder, "logs", "HEAD"), LOG_BYTES);
  for (const line of (log ?? "").split("\n")) {
    const [, old = "", hash = "", seconds, action = "", subject = ""] = LINE.exec(line) ?? [];
    if (!MAKING.test(action)) continue;
    if (action === "commit (amend)") made.delete(old);
    made.set(hash, { hash, at: Number(seconds) * 1000, subject });
  }
  return [...made.values()];
}
