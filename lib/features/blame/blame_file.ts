/** Tells which session, prompt and agent wrote each line of a file. */
import { basename, dirname } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { readShortText, RECORDS_BYTES } from "../../core/file/short_file.ts";
import type { Library } from "../../library/library.ts";
import { quoteWord } from "../../core/platform/shell_word.ts";
import { realPathSync } from "../../core/platform/files.ts";
import { isNotFound } from "../../core/platform/system_error.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import { commonGitFolder, projectDirectories } from "../../core/workspace/project.ts";
import { attributeLines, type Attribution, UNKNOWN } from "./attribute_lines.ts";
import { attributeCommitted, editsOf } from "./committed_lines.ts";
import {
  findEdits,
  type FindEditsOptions,
  type NamedFile,
} from "../../library/touches/find_edits.ts";
import { comparedLine, linesOf } from "../../library/touches/file_lines.ts";
import { type BlamedCommit, type BlamedLine, Repository } from "./git/repository.ts";
import type { GitPlace } from "./git/run_git.ts";
import { alignLines } from "./traced_lines.ts";

/** The choice of lines to blame and sessions to search, with the facts that git needs. */
export interface BlameOptions extends FindEditsOptions {
  /** The lines to blame, numbered from 1, both ends included. @default {all} */
  lines?: { from: number; to: number } | undefined;
  /** Returns a variable of the environment, for git: `PATH` and `HOME`. */
  variable: (name: string) => string | undefined;
  /** The current time, in milliseconds since 1970. */
  now: number;
}

/** A line, its commit, and the session that wrote it. */
export interface LineBlame extends Attribution {
  /** The line's number, from 1. */
  line: number;
  /** Text of the line without its line end. */
  text: string;
  /** The commit that added the line; absent if the line is not committed. */
  commit?: BlamedCommit;
}

/** A session that was searched for changes of the file. */
export interface BlamedSession {
  /** The agent that recorded the session. */
  agent: AgentName;
  /** The id that the agent gave the session. */
  session_id: string;
  /** The session's reference in commands, as `<agent>:<id>`. */
  ref: string;
}

/** The result of blaming a file: its requested lines, and the searched sessions. */
export interface FileBlame {
  /** The file's real path. */
  file: string;
  /** The file's path in its repository; absent for a file outside of a repository. */
  path?: string;
  /** The last commit that changed the file; absent if the file has no commit. */
  revision?: string;
  /** True if no repository tracks the file. Its lines are then attributed by sessions alone. */
  untracked: boolean;
  /** The requested lines, in the order of the file. */
  lines: LineBlame[];
  /** The sessions that were searched: all sessions of the requested agents. */
  sessions: readonly BlamedSession[];
}

function readText(file: string): string {
  let text: string;
  try {
    text = readShortText(file, RECORDS_BYTES);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const message =
      `Cannot blame: there is no file ${file}\nTo find commands and messages that name ` +
      `this file: reprise search ${quoteWord(basename(file))}`;
    throw new SessionError("not-found", message, { path: file });
  }
  if (!text.includes("\0")) return text;
  throw new SessionError("unsupported-source", `Cannot blame: ${file} is not text`, { path: file });
}

/** Opens the repository around a folder. Outside of repositories, git need not be installed. */
async function repositoryAround(place: GitPlace): Promise<Repository | undefined> {
  try {
    return await Repository.around(place);
  } catch (error) {
    const lacks_git = error instanceof SessionError && error.code === "not-found";
    if (!lacks_git || commonGitFolder(place.cwd) !== undefined) throw error;
    return undefined;
  }
}

function chosen(
  { lines }: BlameOptions,
  count: number,
  file: string,
): { from: number; to: number } {
  if (lines === undefined) return { from: 1, to: count };
  if (lines.from > count) {
    const message = `Cannot blame line ${lines.from}: ${file} has ${
      count === 1 ? "1 line" : `${count} lines`
    }`;
    throw new SessionError("not-found", message, { path: file });
  }
  return { from: lines.from, to: Math.min(lines.to, count) };
}

/**
 * Joins `git blame` with the changes that sessions recorded. Git runs no program that the repository
 * names. Nothing is written.
 *
 * @param library The sessions. @param path The file, absolute.
 * @throws {SessionError} `not-found`, `unsupported-source`, `permission`, `io`, `damaged`, `too-large`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { blameFile } from "@reprise/reprise/blame";
 * import { openLibrary } from "@reprise/reprise/library";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const library = openLibrary({ root, variable: () => undefined });
 * const variable = (name: string) => name === "PATH" ? "/usr/bin" : undefined;
 * await writeFile(`${root}/note.txt`, "one\ntwo\n");
 * const options = { variable, now: Date.now() };
 * const { lines } = await blameFile(library, `${root}/note.txt`, options);
 * assert.deepEqual(lines.map(({ grade }) => grade), ["unknown", "unknown"]);
 * await rm(root, { recursive: true });
 * ```
 */
export async function blameFile(
  library: Library,
  path: string,
  options: BlameOptions,
): Promise<FileBlame> {
  const current = linesOf(readText(path));
  const file = realPathSync(path);
  const { from, to } = chosen(options, current.length, path);
  const cwd = dirname(file);
  const repository = await repositoryAround({ cwd, variable: options.variable });
  const name = repository?.pathOf(file);
  const blamed = name === undefined ? undefined : await repository?.blame(name);
  const named = namedFile(file, name, repository?.top, blamed ?? []);
  const edits = await findEdits(library, named, options);
  const history = blamed === undefined || name === undefined ? [] : await repository?.history(name);
  const committed = blamed?.map(({ text }) => comparedLine(text)) ?? [];
  const places = alignLines(committed, current);
  const wanted = places.slice(from - 1, to);
  const attributed = repository === undefined || blamed === undefined
    ? new Map<number, Attribution>()
    : await attributeCommitted({
      ...{ repository, blamed, texts: committed, wanted: new Set(wanted), edits },
      history: history ?? [],
    });
  const uncommitted = wanted.includes(undefined)
    ? attributeLines({
      before: committed,
      after: current,
      // Changes in another work tree reach this one only by a commit.
      edits: editsOf(edits.here.filter(({ top }) => top === named.tops[0]), named.names),
      elsewhere: editsOf(
        [...edits.here.filter(({ top }) => top !== named.tops[0]), ...edits.elsewhere],
        named.names,
      ),
      from: history?.[0]?.author_time ?? 0,
      until: [Math.floor(options.now / 1000)],
    })
    : [];
  const lines = wanted.map((place, index): LineBlame => {
    const line = from + index;
    const text = current[line - 1] ?? "";
    const commit = place === undefined ? undefined : blamed?.[place]?.commit;
    if (place === undefined || commit === undefined) {
      return { line, text, ...uncommitted[line - 1] ?? UNKNOWN };
    }
    return { line, text, commit, ...attributed.get(place) ?? UNKNOWN };
  });
  return present({
    file,
    path: name,
    revision: history?.[0]?.sha,
    untracked: blamed === undefined,
    lines,
    sessions: edits.sessions.map(toBlamed),
  });
}

export function toBlamed(session: AgentSession): BlamedSession {
  return { agent: session.agent, session_id: session.id, ref: sessionRef(session) };
}

function namedFile(
  file: string,
  name: string | undefined,
  top: string | undefined,
  blamed: readonly BlamedLine[],
): NamedFile {
  if (name === undefined || top === undefined) {
    const folder = dirname(file);
    return { names: new Set([basename(file)]), tops: [folder] };
  }
  const names = new Set([name]);
  for (const { commit } of blamed) {
    names.add(commit.path);
    if (commit.previous !== undefined) names.add(commit.previous.path);
  }
  return { names, tops: [...new Set([top, ...projectDirectories(top)])] };
}

export type BlamedRun = Omit<LineBlame, "line" | "text"> & {
  /** The number of the first line, from 1. */
  from: number;
  /** Texts of the lines without their line ends; at least one. */
  lines: string[];
};

/** Groups adjacent lines, given in the order of the file, by their writer and commit. */
export function blameRuns(lines: readonly LineBlame[]): BlamedRun[] {
  const runs: BlamedRun[] = [];
  for (const { line, text, ...writer } of lines) {
    const last = runs.at(-1);
    if (last !== undefined && isSame(last, writer)) last.lines.push(text);
    else runs.push({ from: line, lines: [text], ...writer });
  }
  return runs;
}

function isSame(one: Omit<BlamedRun, "from" | "lines">, other: typeof one): boolean {
  return one.grade === other.grade && one.doubt === other.doubt && one.edit === other.edit &&
    one.commit?.sha === other.commit?.sha;
}
