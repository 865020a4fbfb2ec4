/** Tells which sessions wrote the lines that commits add, and what these sessions cost. */
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { Library } from "../../library/library.ts";
import { rowsOf } from "../../library/query/candidate.ts";
import type { EditPrompt, RecordedEdit } from "../../library/touches/edit.ts";
import type { FindEditsOptions } from "../../library/touches/find_edits.ts";
import { addedLines, editsOfChanges } from "./added_lines.ts";
import { type BlamedSession, toBlamed } from "./blame_file.ts";
import { committedChanges, stagedChanges } from "./git/commit_changes.ts";
import { namedCommits } from "./git/named_commits.ts";
import { Repository } from "./git/repository.ts";

export interface CommitBlameOptions extends FindEditsOptions {
  /** Any directory of the repository, absolute. */
  cwd: string;
  /** Returns a variable of the environment, for git: `PATH` and `HOME`. */
  variable: (name: string) => string | undefined;
  /** The current time, in milliseconds since 1970. */
  now: number;
}

export interface WrittenLines {
  /** Number of lines whose writer is proven by a replay of the session's recorded change. */
  proven: number;
  /** Number of lines whose text a session wrote, but at an uncertain time or place. */
  likely: number;
}

export interface PromptLines extends WrittenLines {
  /** The prompt; absent if no prompt came before the change. */
  prompt?: EditPrompt;
  /** The id of the thread; absent in the main thread. */
  thread?: string;
}

export interface SessionLines extends WrittenLines, BlamedSession {
  /** The session's row in a list, with its cost; absent if the session cannot be read. */
  row?: Summary;
  /** The prompts, in the order of the session. */
  prompts: PromptLines[];
}

export interface CommitBlame extends WrittenLines {
  /** Hashes of the commits, the oldest first. Empty if the git index is examined instead. */
  commits: readonly string[];
  added: number;
  unknown: number;
  /** Number of changed files that are not text. Their content is not counted. */
  binary: number;
  /** The sessions, the one with the most lines first. */
  sessions: SessionLines[];
  /** The sessions that were searched: all sessions of the requested agents. */
  searched: readonly BlamedSession[];
}

/**
 * Counts the lines that commits add, by the session and prompt that wrote them. Finds writers as
 * `blameFile` does. Compares contents, so squashed, rebased and cherry-picked commits count, too.
 * Writes nothing.
 *
 * @param library The sessions.
 * @param name A commit, a range (`main..HEAD`), or a branch without the commits of the default
 * branch. Undefined for git's index.
 * @returns The counts; undefined if git does not know the name.
 * @throws {SessionError} `not-found`, `unsupported-source`, `damaged`, `too-large`, `unreachable`.
 */
export async function blameCommits(
  library: Library,
  name: string | undefined,
  options: CommitBlameOptions,
): Promise<CommitBlame | undefined> {
  const { cwd, variable } = options;
  const repository = await Repository.around({ cwd, variable });
  if (repository === undefined) {
    const message = `Cannot blame ${name ?? "the index"}: ${cwd} is not in a git repository`;
    throw new SessionError("not-found", message, { path: cwd });
  }
  const commits = name === undefined ? [] : await namedCommits(repository, name);
  if (commits === undefined) return undefined;
  const changes = name === undefined
    ? [await stagedChanges(repository)]
    : await committedChanges(repository, commits);
  const sum = { added: 0, proven: 0, likely: 0, unknown: 0 };
  const sessions = new Map<string, SessionSum>();
  const edits = await editsOfChanges(library, repository, changes, options);
  for await (const { file, lines } of addedLines(repository, changes, edits, options.now)) {
    sum.added += Math.max(file.added ?? 0, lines.length);
    for (const { grade, edit } of lines) {
      if (edit === undefined || grade === "unknown") continue;
      sum[grade]++;
      const ref = sessionRef(edit.session);
      const known = sessions.get(ref) ?? new SessionSum(edit);
      sessions.set(ref, known);
      known.add(edit, grade);
    }
  }
  sum.unknown = sum.added - sum.proven - sum.likely;
  const files = changes.flatMap((one) => one.files);
  return {
    ...sum,
    commits: commits.map(({ sha }) => sha),
    binary: files.filter(({ added }) => added === undefined).length,
    sessions: await withRows(library, sessions),
    searched: edits.sessions.map(toBlamed),
  };
}

class SessionSum {
  readonly first: RecordedEdit;
  readonly #prompts = new Map<string, PromptLines>();

  constructor(first: RecordedEdit) {
    this.first = first;
  }

  add({ thread, prompt }: RecordedEdit, grade: keyof WrittenLines): void {
    const key = `${thread ?? ""}#${prompt?.seq}`;
    const known = this.#prompts.get(key) ??
      { ...present({ thread, prompt }), proven: 0, likely: 0 };
    this.#prompts.set(key, known);
    known[grade]++;
  }

  get prompts(): PromptLines[] {
    return [...this.#prompts.values()].sort((one, other) =>
      Number(one.thread !== undefined) - Number(other.thread !== undefined) ||
      (one.prompt?.seq ?? 0) - (other.prompt?.seq ?? 0)
    );
  }
}

async function withRows(
  library: Library,
  sums: ReadonlyMap<string, SessionSum>,
): Promise<SessionLines[]> {
  const entries = [...sums].map(([, { first }]) => library.entry(first.session));
  await rowsOf(entries);
  await library.fillCounts(entries, Infinity);
  await library.fillCosts(entries);
  const found: SessionLines[] = [];
  for (const [index, [, { first, prompts }]] of [...sums].entries()) {
    const count = (grade: keyof WrittenLines): number =>
      prompts.reduce((sum, one) => sum + one[grade], 0);
    const row = await entries[index]?.row();
    const lines = { proven: count("proven"), likely: count("likely") };
    found.push(present({ ...toBlamed(first.session), ...lines, row, prompts }));
  }
  const linesOf = ({ proven, likely }: WrittenLines): number => proven + likely;
  return found.sort((one, other) => linesOf(other) - linesOf(one));
}
