/** Reads all threads of a pi session, one after the other, with one index of its file. */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession, OpenThreads } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { BranchStarts } from "../../reading/tree/branch_starts.ts";
import { sideBranches } from "../../reading/tree/side_branches.ts";
import type { EntryNode } from "./entry_index.ts";
import { findLivePath } from "./live_path.ts";
import { type EntryState, readPath, readSession } from "./read.ts";

/** Opens the threads of a session; see {@linkcode Agent.openThreads}. */
export async function openThreads(
  session: AgentSession,
  options: Pick<AgentReadOptions, "needs" | "report" | "signal">,
): Promise<OpenThreads> {
  const live = await findLivePath(session, options);
  const { nodes, tree } = live.index;
  const others = sideBranches(nodes, tree, { live: live.path });
  const starts = new BranchStarts<EntryNode, EntryState>({
    ...{ live, others, tree, parentOf: ({ parent_id }) => parent_id },
  });
  const said = others.filter(({ path }) => path.some(({ damaged }) => !damaged));
  // An edit of the context changes what a branch has in force, so that each is read by itself.
  const is_edited = nodes.some(({ type }) => type === "context_edit");
  return {
    ids: [MAIN_THREAD, ...said.map(({ id }) => id)],
    async *read(thread): AsyncGenerator<readonly LogEvent[]> {
      if (is_edited) return yield* readSession(session, { ...options, thread });
      const part = starts.part(thread);
      if (part === undefined) return;
      const { index, thorough } = live;
      yield* readPath(session, options, { ...part.walk, index, thorough }, part);
    },
  };
}
