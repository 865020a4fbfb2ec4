/** Reads a thread of a session whose records form a tree: whole, or from places on it. */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadingOptions, AgentReadOptions, AgentSession } from "../../source/agent.ts";
import type { SessionReading } from "../../source/session_reading.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { type TreePlace, wayTo } from "./branch_starts.ts";
import { otherBranches } from "./branches.ts";
import { headOf, type OpenPath, openPath, pathEvents, readPath } from "./read_tree.ts";
import type { TreeFormat } from "./tree_format.ts";
import { findThread } from "./tree_threads.ts";

/** Reads a thread of a session; see {@linkcode SessionReader.read}. */
export async function* readThread<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  options: AgentReadOptions,
): AsyncGenerator<readonly LogEvent[]> {
  const source = await findThread(format, session, options.thread);
  yield* readPath(format, session, options, { ...source, in_force: options.in_force });
}

/** Opens a thread to be read from places on it; see {@linkcode SessionReader.openReading}. */
export async function openTree<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  { lasting = false, ...options }: AgentReadingOptions,
): Promise<SessionReading | undefined> {
  const { thread = MAIN_THREAD } = options;
  const is_one = thread === MAIN_THREAD && (format.subagents?.(session) ?? []).length === 0;
  if (lasting && !is_one) return undefined;
  const source = await findThread(format, session, thread);
  const open = await openPath(format, session, options, source);
  if (lasting && !await isAlone(format, open)) return undefined;
  return {
    from: (place, signal = options.signal) => {
      const read = { ...open, options: { ...options, signal } };
      // A read from a place knows no names of what was before it: so none does.
      const part = { place: place as TreePlace<Saved> | undefined, named: false };
      return pathEvents(format, read, part);
    },
    async stands(place): Promise<boolean> {
      const { at, way, head } = place as TreePlace<Saved>;
      const { steps, index } = open.path;
      if (at > steps.length || wayTo(index, steps, at) !== way) return false;
      return head === await headOf(format, open);
    },
  };
}

/** True where a file has one thread. */
async function isAlone<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  { session, path: { index, line } }: OpenPath<Head>,
): Promise<boolean> {
  if (otherBranches(format, index, line).length > 0) return false;
  return (await format.innerAgents?.(session.path, index, []) ?? []).length === 0;
}
