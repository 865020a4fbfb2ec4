/**
 * Lists the threads of a session: the branch that Claude Code would resume, other branches and
 * roots, and sub-agents. Sub-agents are inside the file or in their own.
 */
import { SessionError } from "../../event/session_error.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { readJsonObject } from "../folder.ts";
import { asName } from "../json_value.ts";
import { recordId, type RecordIndex, rowOf, USER } from "./index/record_index.ts";
import { indexRecords } from "./index/index_records.ts";
import { type Branch, otherBranches } from "./path/branches.ts";
import { lastBelow, type LivePath, livePath, type PathScope } from "./path/live_path.ts";
import { rowOfStep } from "./path/steps.ts";
import { readRow } from "./read_rows.ts";
import { type SubagentFile, subagentFiles } from "./subagent_files.ts";
import { promptTitle } from "./prompt_title.ts";

/** The threads of a session; see {@linkcode Agent.threads}. */
export async function sessionThreads(session: AgentSession): Promise<SessionThread[]> {
  const live = livePath(await indexRecords(session.path, {}, false));
  const main: SessionThread = {
    id: MAIN_THREAD,
    kind: "main",
    records: live.steps.length,
    ...timed(live.index, [...live.steps].map(rowOfStep)),
  };
  const threads: FileThread[] = [main, ...branchThreads(session.path, live, MAIN_THREAD)];
  for (const file of subagentFiles(session)) threads.push(...await fileThreads(file));
  return unique(threads);
}

/** What to read of a session's file for a thread's id, its first characters, or a record's id. */
export async function findThread(
  session: AgentSession,
  thread: string,
): Promise<{ path: string; scope: (index: RecordIndex) => PathScope }> {
  const { path } = session;
  if (thread === MAIN_THREAD) return { path, scope: () => ({}) };
  const files = subagentFiles(session);
  const named = files.find(({ id }) => id === thread);
  if (named !== undefined) return { path: named.path, scope: () => ({}) };
  const matches = (await sessionThreads(session)).filter(({ id }) => id.startsWith(thread));
  const exact = matches.find(({ id }) => id === thread);
  const [match, ...more] = exact === undefined ? matches : [exact];
  if (more.length > 0) {
    const message = `Cannot read thread: "${thread}" is the beginning of ${matches.length} ids`;
    throw new SessionError("ambiguous", message, { ref: thread });
  }
  const id = match?.id ?? thread;
  if (id === MAIN_THREAD) return { path, scope: () => ({}) };
  const file = files.find((other) => other.id === id);
  if (file !== undefined) return { path: file.path, scope: () => ({}) };
  const [file_id = "", record_id = ""] = id.split("/");
  const inside = record_id === "" ? [{ id: "", path }, ...files] : files;
  for (const other of inside.filter((one) => record_id === "" || one.id === file_id)) {
    const record = record_id === "" ? id : record_id;
    const index = await indexRecords(other.path, {}, false);
    if (rowOf(index, record) >= 0) {
      return { path: other.path, scope: (found) => ({ leaf: lastBelow(found, record) }) };
    }
  }
  throw new SessionError("not-found", `Cannot read thread: no record "${thread}"`, { ref: thread });
}

/** Without a thread the main one is read. */
export function isMain({ thread }: AgentReadOptions): boolean {
  return thread === undefined || thread === MAIN_THREAD;
}

/** A thread of a sub-agent's file says which. */
interface FileThread extends SessionThread {
  file?: string;
}

async function fileThreads({ id, path }: SubagentFile): Promise<FileThread[]> {
  const live = livePath(await indexRecords(path, {}, false));
  const rows = [...live.steps].map(rowOfStep);
  const meta = readJsonObject(path.replace(/\.jsonl$/, ".meta.json"));
  const title = asName(meta.description) ?? titleOf(path, live.index, rows);
  const own: SessionThread = {
    id,
    kind: "subagent",
    parent: { thread: MAIN_THREAD },
    ...(title === undefined ? {} : { title }),
    records: rows.length,
    ...timed(live.index, rows),
  };
  return [own, ...branchThreads(path, live, id)].map((thread) => ({ ...thread, file: id }));
}

function branchThreads(path: string, { index, steps }: LivePath, live: string): SessionThread[] {
  const branches = otherBranches(index, steps);
  const ids = branches.map(({ rows: [first = 0] }) => recordId(index, first));
  return branches.map((branch, at) => {
    const title = titleOf(path, index, branch.rows);
    return {
      id: ids[at] ?? "",
      kind: branch.kind,
      ...parentOf(branch, ids, live),
      ...(title === undefined ? {} : { title }),
      records: branch.rows.length,
      ...timed(index, branch.rows),
    };
  });
}

function parentOf(
  { parent }: Branch,
  ids: readonly string[],
  live: string,
): Pick<SessionThread, "parent"> {
  return parent === undefined ? {} : { parent: { thread: ids[parent.branch] ?? live } };
}

/** The time of the record that was written last. */
function timed({ time }: RecordIndex, rows: readonly number[]): Pick<SessionThread, "updated_at"> {
  let last = -Infinity;
  for (const row of rows) if ((time[row] as number) > last) last = time[row] as number;
  return last === -Infinity ? {} : { updated_at: new Date(last).toISOString() };
}

/** Records that are looked at for a title. */
const MOST_TRIED = 12;

/** The first prompt among rows. */
function titleOf(path: string, index: RecordIndex, rows: readonly number[]): string | undefined {
  for (const row of rows.filter((other) => index.type[other] === USER).slice(0, MOST_TRIED)) {
    const record = readRow(path, index, row);
    const title = record === undefined ? undefined : promptTitle(record);
    if (title !== undefined) return inShort(title);
  }
  return undefined;
}

const LONGEST_TITLE = 200;

function inShort(title: string): string {
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE).trimEnd()}…` : title;
}

/** A file of a sub-agent can hold records that are in the session's too: they are named by both. */
function unique(threads: readonly FileThread[]): SessionThread[] {
  const seen = new Set<string>();
  return threads.map(({ file, ...thread }) => {
    const id = seen.has(thread.id) && file !== undefined ? `${file}/${thread.id}` : thread.id;
    seen.add(id);
    return { ...thread, id };
  });
}
