/** Reads all threads of a Qwen Code session, one after the other, with one index of its file. */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession, OpenThreads } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { BranchStarts } from "../../reading/tree/branch_starts.ts";
import { branchesOf, findLivePath, followedId } from "./live_path.ts";
import { indexFile, readPart, readSession, type RecordState } from "./read.ts";
import type { RecordNode } from "./record_index.ts";
import { subagentsOf } from "./subagents.ts";

/** Opens the threads of a session; see {@linkcode Agent.openThreads}. */
export async function openThreads(
  session: AgentSession,
  options: Pick<AgentReadOptions, "needs" | "report" | "signal">,
): Promise<OpenThreads> {
  const index = await indexFile(session.path, options);
  const live = findLivePath(index);
  const others = branchesOf(index, live.path);
  const { tree } = index;
  const starts = new BranchStarts<RecordNode, RecordState>({
    ...{ live, others, tree, parentOf: (node) => followedId(tree, node) },
  });
  const agents = subagentsOf(session).map(({ id }) => id);
  return {
    ids: [MAIN_THREAD, ...others.map(({ id }) => id), ...agents],
    async *read(thread): AsyncGenerator<readonly LogEvent[]> {
      const part = agents.includes(thread) ? undefined : starts.part(thread);
      if (part === undefined) yield* readSession(session, { ...options, thread });
      else yield* readPart(session, options, index, part);
    },
  };
}
