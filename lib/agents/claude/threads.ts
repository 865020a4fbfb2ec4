/**
 * Lists the threads of a session: the branch that Claude Code would resume, other branches and
 * roots, and subagents. Subagents are inside the file or in their own.
 */
import { SessionError } from "../../event/session_error.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { readJsonObject } from "../../reading/files/folder.ts";
import { asName } from "../../reading/json_value.ts";
import { recordId, type RecordIndex, rowOf, USER } from "./index/record_index.ts";
import { indexRecords } from "./index/index_records.ts";
import { linkRepeated } from "./index/link_parents.ts";
import { otherBranches } from "./path/branches.ts";
import { livePath, type PathScope, type ThreadPlace } from "./path/live_path.ts";
import { rowOfStep } from "./path/steps.ts";
import { progressAgents } from "./progress_agents.ts";
import { readRow } from "./read_rows.ts";
import { type SubagentFile, subagentFiles } from "./subagent_files.ts";
import { promptTitle } from "./prompt_title.ts";

/** A thread, as finding it tells. */
export interface FoundThread extends Pick<SessionThread, "id" | "kind" | "parent"> {
  place: ThreadPlace;
  index: RecordIndex;
  /** The rows that only it has. */
  rows: readonly number[];
  task?: string | undefined;
}

/** The threads of a session; see {@linkcode Agent.threads}. */
export async function sessionThreads(session: AgentSession): Promise<SessionThread[]> {
  const threads: SessionThread[] = [];
  for await (const found of findThreads(session)) threads.push(describeThread(found));
  return threads;
}

/** Finds the threads of a session, the main one first, and all of a file one after the other. */
export async function* findThreads(session: AgentSession): AsyncGenerator<FoundThread> {
  const files = subagentFiles(session);
  const taken = new Set<string>();
  const main = { id: MAIN_THREAD, path: session.path };
  yield* threadsInFile(main, { id: MAIN_THREAD, kind: "main" }, files, taken);
  for (const file of files) {
    const { description } = readJsonObject(file.path.replace(/\.jsonl$/, ".meta.json"));
    const parent = { thread: MAIN_THREAD };
    const task = asName(description);
    yield* threadsInFile(file, { id: file.id, kind: "subagent", parent, task }, files, taken);
  }
}

/** Finds what to read for a thread's id, its first characters, or a record's id. */
export async function findThread(session: AgentSession, thread: string): Promise<ThreadPlace> {
  const { path } = session;
  if (thread === MAIN_THREAD) return { path, scope: () => ({}) };
  const file = subagentFiles(session).find(({ id }) => id === thread);
  if (file !== undefined) return { path: file.path, scope: () => ({}) };
  const begun: FoundThread[] = [];
  let holder: FoundThread | undefined;
  for await (const found of findThreads(session)) {
    if (found.id === thread) return found.place;
    if (found.id.startsWith(thread)) begun.push(found);
    else if (found.rows.includes(rowOf(found.index, thread))) holder ??= found;
  }
  if (begun.length > 1) {
    const message = `Cannot read thread: "${thread}" is the beginning of ${begun.length} ids`;
    throw new SessionError("ambiguous", message, { ref: thread });
  }
  const [{ place } = holder ?? {}] = begun;
  if (place !== undefined) return place;
  throw new SessionError("not-found", `Cannot read thread: no record "${thread}"`, { ref: thread });
}

/** Without a thread the main one is read. */
export function isMain({ thread }: AgentReadOptions): boolean {
  return thread === undefined || thread === MAIN_THREAD;
}

type OwnThread = Pick<FoundThread, "id" | "kind" | "parent" | "task">;

/** The thread that a file is for, then its branches, and subagents that it alone holds. */
async function* threadsInFile(
  { id: file, path }: SubagentFile,
  own: OwnThread,
  files: readonly SubagentFile[],
  taken: Set<string>,
): AsyncGenerator<FoundThread> {
  const { index, steps, line } = livePath(linkRepeated(await indexRecords(path, {}, false)));
  const branches = otherBranches(index, line);
  taken.add(own.id);
  const ids = branches.map(({ rows: [first] }) =>
    first === undefined ? undefined : untaken(recordId(index, first), file, taken)
  );
  const threadOf = (branch: number): { thread: string } => {
    let at = branch;
    while (at >= 0 && ids[at] === undefined) at = branches[at]?.parent?.branch ?? -1;
    return { thread: ids[at] ?? own.id };
  };
  yield { ...own, place: { path, scope: () => ({}) }, index, rows: Array.from(steps, rowOfStep) };
  for (const [at, { kind, parent, rows }] of branches.entries()) {
    const [id, first] = [ids[at], rows[0]];
    if (id === undefined || first === undefined) continue;
    const branch = recordId(index, first);
    const scope = (): PathScope => ({ branch });
    const left = parent === undefined ? {} : { parent: threadOf(parent.branch) };
    yield { id, kind, ...left, place: { path, scope }, index, rows };
  }
  for (const agent of await progressAgents(path, index, files)) {
    const parent = threadOf(branches.findIndex(({ rows }) => rows.includes(agent.start)));
    const place = { path, index: agent.index, scope: () => ({}) };
    const rows = Array.from(livePath(agent.index).steps, rowOfStep);
    const id = untaken(agent.id, file, taken);
    yield { id, kind: "subagent", parent, place, index: agent.index, rows };
  }
}

/** A file of a subagent can hold records that are in the session's too: they are named by both. */
function untaken(id: string, file: string, taken: Set<string>): string {
  const free = taken.has(id) ? `${file}/${id}` : id;
  taken.add(free);
  return free;
}

function describeThread({ place, index, rows, task, ...thread }: FoundThread): SessionThread {
  const title = thread.kind === "main" ? undefined : task ?? titleOf(place.path, index, rows);
  return {
    id: thread.id,
    kind: thread.kind,
    ...(thread.parent === undefined ? {} : { parent: thread.parent }),
    ...(title === undefined ? {} : { title }),
    records: rows.length,
    ...timed(index, rows),
  };
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
