/** Makes the reader of an agent whose records form a tree. */
import type { LogEvent } from "../../event/envelope.ts";
import type { Agent, AgentReadOptions, AgentSession } from "../../source/agent.ts";
import type { SessionReading } from "../../source/session_reading.ts";
import type { TreePlace } from "./branch_starts.ts";
import { openThreadsOfTree } from "./open_threads.ts";
import { openPath, pathEvents, readPath } from "./read_tree.ts";
import { readTreeTail } from "./read_tail.ts";
import { summarizeTree } from "./summarize_tree.ts";
import type { TreeFormat } from "./tree_format.ts";
import { treeMessages } from "./tree_messages.ts";
import { findThread, threadsOfTree } from "./tree_threads.ts";
import { readTreeUsage } from "./tree_usage.ts";

/** The part of an agent that the engine derives from a format of trees. */
export type TreeReader = Required<
  Pick<
    Agent,
    | "read"
    | "summarize"
    | "openReading"
    | "messages"
    | "threads"
    | "openThreads"
    | "usage"
    | "readTail"
    | "stateFiles"
  >
>;

/** Makes the reader of a format of trees. */
export function treeReader<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
): TreeReader {
  return {
    read: (session, options) => readThread(format, session, options),
    summarize: summarizeTree(format),
    openReading: (session, options) => openTree(format, session, options),
    messages: (session, options) => treeMessages(format, session, options),
    threads: (session) => threadsOfTree(format, session),
    openThreads: (session, options) => openThreadsOfTree(format, session, options),
    usage: (session) => readTreeUsage(format, session),
    readTail: (session, options) => readTreeTail(format, session, options),
    stateFiles: (session) => {
      const agents = format.subagents?.(session) ?? [];
      return Promise.resolve([session.path, ...agents.map(({ path }) => path)]);
    },
  };
}

async function* readThread<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const source = await findThread(format, session, options.thread);
  yield* readPath(format, session, options, { ...source, in_force: options.in_force });
}

/** Opens a thread to be read from places on it; see {@linkcode Agent.openReading}. */
async function openTree<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  options: AgentReadOptions,
): Promise<SessionReading> {
  const source = await findThread(format, session, options.thread);
  const open = await openPath(format, session, options, source);
  return {
    from: (place, signal = options.signal) => {
      const read = { ...open, options: { ...options, signal } };
      // A read from a place knows no names of what was before it: so none does.
      const part = { place: place as TreePlace<Saved> | undefined, named: false };
      return pathEvents(format, read, part);
    },
  };
}
