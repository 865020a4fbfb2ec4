/** Lists the threads of a session whose records form a tree, and reads each record of them once. */
import type { LogEvent } from "../../event/envelope.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { AgentReadOptions, AgentSession, OpenThreads } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { describedThread } from "../summary/described_thread.ts";
import { BranchStarts } from "./branch_starts.ts";
import { branchesBeside, findPath } from "./live_path.ts";
import { readNodes, readPart, readTree } from "./read_tree.ts";
import { chosenThread, type SideBranch } from "./side_branches.ts";
import { followedId, type RecordNode, type SubagentFile, type TreeFormat } from "./tree_format.ts";

/** Lists the threads of a session; see {@linkcode SessionReader.threads}. */
export async function threadsOfTree<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
): Promise<SessionThread[]> {
  const found = await findPath(format, session, { needs: SUMMARY_KINDS });
  const main: SessionThread = { id: MAIN_THREAD, kind: "main", records: found.path.length };
  const eventsOf = (nodes: readonly RecordNode[]): AsyncGenerator<readonly LogEvent[]> =>
    readNodes(format, session, nodes, SUMMARY_KINDS);
  const threads = [await describedThread(main, eventsOf(found.path.slice(-1)))];
  const branches = branchesBeside(found).filter(hasWholeRecord);
  const describe = branches.length === 0
    ? undefined
    : await format.describe?.(session, found.index, branches);
  for (const branch of branches) {
    const { id, parent: thread, path: own } = branch;
    const known: SessionThread = {
      id,
      kind: "branch",
      records: own.length,
      ...(thread === undefined ? {} : { parent: { thread } }),
      ...await describe?.(branch),
    };
    threads.push(await describedThread(known, eventsOf(own)));
  }
  const agents = format.subagents?.(session) ?? [];
  const ids = new Set(agents.map(({ id }) => id));
  for (const agent of agents) threads.push(await subagentThread(format, session, agent, ids));
  return threads;
}

/** True for a branch with a whole record. Damage is reported where it lies. */
function hasWholeRecord({ path }: SideBranch<RecordNode>): boolean {
  return path.some(({ damaged }) => !damaged);
}

async function subagentThread<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  { id, path, task, parent }: SubagentFile,
  ids: ReadonlySet<string>,
): Promise<SessionThread> {
  const own = { ...session, path };
  const needs = { needs: SUMMARY_KINDS };
  const { index } = await findPath(format, own, needs);
  const known: SessionThread = {
    id,
    kind: "subagent",
    records: index.nodes.length,
    parent: { thread: parent !== undefined && ids.has(parent) ? parent : MAIN_THREAD },
    ...(task === undefined ? {} : { title: task }),
  };
  return await describedThread(known, readTree(format, own, needs));
}

/** Opens the threads of a session; see {@linkcode SessionReader.openThreads}. */
export async function openThreadsOfTree<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  options: Pick<AgentReadOptions, "needs" | "report" | "signal">,
): Promise<OpenThreads> {
  const found = await findPath(format, session, options);
  const { tree } = found.index;
  const others = branchesBeside(found);
  const parentOf = (node: RecordNode): string | undefined => followedId(tree, node);
  const starts = new BranchStarts<RecordNode, Saved>({ live: found, others, tree, parentOf });
  const agents = format.subagents?.(session) ?? [];
  const is_read_whole = format.isReadWhole?.(found.index) ?? false;
  return {
    ids: [
      MAIN_THREAD,
      ...others.filter(hasWholeRecord).map(({ id }) => id),
      ...agents.map(({ id }) => id),
    ],
    async *read(thread): AsyncGenerator<readonly LogEvent[]> {
      const agent = agents.find(({ id }) => id === thread);
      if (agent !== undefined) {
        return yield* readTree(format, { ...session, path: agent.path }, options);
      }
      if (is_read_whole) return yield* readTree(format, session, { ...options, thread });
      const part = starts.part(thread);
      if (part !== undefined) yield* readPart(format, session, options, found, part);
    },
  };
}

/** Reads a thread: a branch of the session's file, or the file of a sub-agent. */
export async function* readThread<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  { thread, ...options }: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const agents = thread === undefined || thread === MAIN_THREAD
    ? []
    : format.subagents?.(session) ?? [];
  if (thread === undefined || agents.length === 0) {
    return yield* readTree(format, session, { ...options, thread });
  }
  const name = await namedThread(format, session, thread, agents.map(({ id }) => id));
  const agent = agents.find(({ id }) => id === name);
  if (agent === undefined) yield* readTree(format, session, { ...options, thread: name });
  else yield* readTree(format, { ...session, path: agent.path }, options);
}

/** Returns the id of a thread: as it is named, else the one that begins so. */
async function namedThread<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  name: string,
  agents: readonly string[],
): Promise<string> {
  if (agents.includes(name)) return name;
  const found = await findPath(format, session, { needs: SUMMARY_KINDS });
  if (found.index.tree.has(name)) return name;
  return chosenThread(name, [...branchesBeside(found).map(({ id }) => id), ...agents]);
}
