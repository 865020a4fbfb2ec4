/**
 * Lists the threads of a session whose records form a tree. The main thread is the branch that the
 * agent would resume. The others are branches, further roots and sub-agents. A sub-agent's records
 * are in the session's file or in a file of their own.
 */
import { SUMMARY_KINDS } from "../../../core/event/policy.ts";
import type { AgentSession } from "../../contract/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../../core/projection/session_thread.ts";
import { present } from "../json.ts";
import { chosenThread, describedThread } from "../threads.ts";
import { type Branch, otherBranches } from "./branches.ts";
import { linkRepeated } from "./parent_link.ts";
import { findPath, pathIn, type ThreadSource } from "./live_path.ts";
import { ownEvents } from "./read_tree.ts";
import { recordId, rowOf, type TreeIndex } from "./record_index.ts";
import { rowOfStep, stepsOf } from "./steps.ts";
import type { SubagentFile, TreeFormat } from "./tree_format.ts";

interface FoundThread extends Pick<SessionThread, "id" | "kind" | "parent" | "title"> {
  source: ThreadSource;
  index: TreeIndex;
  /** The rows that are in this thread only. */
  rows: readonly number[];
  describe?: (() => Promise<Partial<SessionThread>>) | undefined;
}

type OwnThread = Pick<SessionThread, "id" | "kind" | "parent" | "title">;

export async function threadsOfTree(
  format: TreeFormat,
  session: AgentSession,
): Promise<SessionThread[]> {
  const threads: SessionThread[] = [];
  for await (const found of findThreads(format, session)) {
    threads.push(await describeThread(format, session, found));
  }
  return threads;
}

async function describeThread(
  format: TreeFormat,
  session: AgentSession,
  { source: { path }, index, rows, describe, ...found }: FoundThread,
): Promise<SessionThread> {
  const known = { ...found, records: rows.length, ...await describe?.() };
  if (format.summarizeThread !== undefined) {
    const told = format.summarizeThread(path, index, rows);
    const { title = told.title, ...rest } = known;
    const { updated_at = rest.updated_at } = told;
    return present({ ...rest, title: known.kind === "main" ? undefined : title, updated_at });
  }
  // Of the main one a list has the session's row: its last record tells the time.
  const steps = stepsOf(known.kind === "main" ? rows.slice(-1) : rows);
  const events = ownEvents(
    format,
    { ...session, path },
    { index, steps, broken: [] },
    SUMMARY_KINDS,
  );
  return await describedThread(known, events);
}

/** Yields the threads of a session: the main one first, and the threads of one file together. */
export async function* findThreads(
  format: TreeFormat,
  session: AgentSession,
): AsyncGenerator<FoundThread> {
  const files = format.subagents?.(session) ?? [];
  const ids = new Set(files.map(({ id }) => id));
  const taken = new Set<string>();
  const main = { id: MAIN_THREAD, path: session.path };
  yield* threadsInFile(format, session, main, { id: MAIN_THREAD, kind: "main" }, files, taken);
  for (const file of files) {
    const { id, parent = MAIN_THREAD, task } = file;
    const thread = ids.has(parent) ? parent : MAIN_THREAD;
    const own: OwnThread = present({ id, kind: "subagent", parent: { thread }, title: task });
    yield* threadsInFile(format, session, file, own, files, taken);
  }
}

/**
 * Finds a thread's records by the thread's id, the id's beginning, or the id of one of its records.
 *
 * @throws {SessionError} `not-found`, `ambiguous`
 */
export async function findThread(
  format: TreeFormat,
  session: AgentSession,
  name = MAIN_THREAD,
): Promise<ThreadSource> {
  if (name === MAIN_THREAD) return { path: session.path };
  const file = format.subagents?.(session).find(({ id }) => id === name);
  if (file !== undefined) return { path: file.path };
  const threads: FoundThread[] = [];
  for await (const found of findThreads(format, session)) {
    if (found.id === name) return found.source;
    threads.push(found);
  }
  const holder = threads.find(({ rows, index }) => rows.includes(rowOf(index, name)));
  const id = holder?.id ?? chosenThread(name, threads.map((thread) => thread.id));
  return (threads.find((thread) => thread.id === id) as FoundThread).source;
}

/** Yields a file's thread, then its branches, then sub-agents whose records are in this file. */
async function* threadsInFile(
  format: TreeFormat,
  session: AgentSession,
  { id: file, path }: SubagentFile,
  own: OwnThread,
  files: readonly SubagentFile[],
  taken: Set<string>,
): AsyncGenerator<FoundThread> {
  const { index } = await findPath(format, { path }, { needs: SUMMARY_KINDS });
  linkRepeated(index);
  const { steps, line } = pathIn(format, index);
  const branches = otherBranches(format, index, line);
  taken.add(own.id);
  const ids = branches.map(({ rows: [first] }) =>
    first === undefined ? undefined : untaken(recordId(index, first), file, taken)
  );
  const threadOf = (branch: number): { thread: string } => {
    let at = branch;
    while (at >= 0 && ids[at] === undefined) at = branches[at]?.parent?.branch ?? -1;
    return { thread: ids[at] ?? own.id };
  };
  yield { ...own, source: { path }, index, rows: Array.from(steps, rowOfStep) };
  const describe = branches.length === 0
    ? undefined
    : await format.describe?.(session, index, branches);
  for (const [at, branch] of branches.entries()) {
    const id = ids[at];
    const first = branch.rows[0];
    if (id === undefined || first === undefined) continue;
    const source = { path, branch: recordId(index, first) };
    const parent = branch.parent && threadOf(branch.parent.branch);
    yield {
      ...present({ id, kind: "branch", parent }),
      ...{ source, index, rows: branch.rows, describe: describe && (() => describe(branch)) },
    };
  }
  for (const agent of await format.innerAgents?.(path, index, files) ?? []) {
    const parent = threadOf(branches.findIndex(({ rows }: Branch) => rows.includes(agent.start)));
    const rows = Array.from(pathIn(format, agent.index).steps, rowOfStep);
    const source = { path, index: agent.index };
    const id = untaken(agent.id, file, taken);
    yield { id, kind: "subagent", parent, source, index: agent.index, rows };
  }
}

/**
 * Returns an id that no thread has yet. A sub-agent's file may have records of the session. Its
 * thread is then named `file/id`.
 */
function untaken(id: string, file: string, taken: Set<string>): string {
  const free = taken.has(id) ? `${file}/${id}` : id;
  taken.add(free);
  return free;
}
