/** Tells of hits in our logs that they stand on a branch that was left. */
import { REPRISE } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import { findBranches } from "../session/log_branches.ts";
import { type LogThread, threadAt, threadsIn } from "../session/log_threads.ts";
import { MAIN_THREAD } from "../source/session_thread.ts";
import type { SearchHit } from "./search_task.ts";

/** Returns hits with the thread of each that is not on the main one. */
export async function withBranches(hits: readonly SearchHit[]): Promise<SearchHit[]> {
  const threads = new Map<string, readonly LogThread[]>();
  for (const { agent, path } of hits) {
    if (agent !== REPRISE || threads.has(path)) continue;
    threads.set(path, await threadsOf(path));
  }
  return hits.map((hit) => {
    const thread = threadAt(threads.get(hit.path) ?? [], hit.seq)?.id;
    return thread === undefined || thread === MAIN_THREAD ? hit : { ...hit, thread };
  });
}

async function threadsOf(path: string): Promise<readonly LogThread[]> {
  try {
    return threadsIn((await findBranches(path)).branches);
  } catch (error) {
    // It was deleted since: its hits stay.
    if (error instanceof SessionError) return [];
    throw error;
  }
}
