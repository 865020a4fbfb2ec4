/**
 * Lists the threads of a Qwen Code session: the live branch, rewound parts, other branches, and the
 * sub-agents.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread, type ThreadKind } from "../../source/session_thread.ts";
import { describedThread } from "../../reading/summary/described_thread.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import type { SideBranch } from "../../reading/tree/side_branches.ts";
import { startThread } from "./header.ts";
import { branchesOf, findLivePath } from "./live_path.ts";
import { eventsOf, indexFile, readSession } from "./read.ts";
import type { RecordIndex, RecordNode } from "./record_index.ts";
import { type Subagent, subagentsOf } from "./subagents.ts";

/** The threads of a session; see {@linkcode Agent.threads}. */
export async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
  const index = await indexFile(session.path, {});
  const { path } = findLivePath(index);
  const main: SessionThread = { id: MAIN_THREAD, kind: "main", records: path.length };
  const threads = [await describedThread(main, ownEvents(session, path.slice(-1)))];
  for (const branch of branchesOf(index, path)) {
    const { id, parent: thread, path: own } = branch;
    const known: SessionThread = {
      id,
      kind: kindOf(branch, index),
      records: own.length,
      ...(thread === undefined ? {} : { parent: { thread } }),
    };
    threads.push(await describedThread(known, ownEvents(session, own)));
  }
  const agents = subagentsOf(session);
  const ids = new Set(agents.map(({ id }) => id));
  for (const agent of agents) threads.push(await subagentThread(session, agent, ids));
  return threads;
}

/** A rewind goes on from where the branch that it takes back began. */
function kindOf({ path: [first] }: SideBranch<RecordNode>, { nodes }: RecordIndex): ThreadKind {
  const rewound = nodes.some(({ subtype, parent_id }) =>
    subtype === "rewind" && parent_id === first?.parent_id
  );
  return rewound ? "replaced" : "branch";
}

async function* ownEvents(
  session: AgentSession,
  nodes: readonly RecordNode[],
): AsyncGenerator<readonly LogEvent[]> {
  yield* eventsOf(session, nodes, startThread(session, new EventWriter(session, SUMMARY_KINDS)));
}

async function subagentThread(
  session: AgentSession,
  { id, path, task, parent }: Subagent,
  ids: ReadonlySet<string>,
): Promise<SessionThread> {
  const known: SessionThread = {
    id,
    kind: "subagent",
    records: (await indexFile(path, {})).nodes.length,
    parent: { thread: parent !== undefined && ids.has(parent) ? parent : MAIN_THREAD },
    ...(task === undefined ? {} : { title: task }),
  };
  return await describedThread(known, readSession(session, { needs: SUMMARY_KINDS, thread: id }));
}
