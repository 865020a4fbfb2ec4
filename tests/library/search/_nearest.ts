/** What the third tier finds, with an index and without. */
import assert from "node:assert/strict";
import { modifiedAt } from "../../../lib/library/search/index/source_stamp.ts";
import type { SearchRequest } from "../../../lib/library/search/mod.ts";
import { type NearestResult, searchNearest } from "../../../lib/library/search/wording/nearest.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { requestFor } from "./_reference.ts";

/** Searches by wording. @param cache The folder of an index; all is scanned without. */
export function nearestIn(
  sessions: readonly AgentSession[],
  query: string,
  cache?: string,
  filters: Partial<SearchRequest> = {},
): Promise<NearestResult> {
  const entries = sessions.map((session) => ({ session, updated: modifiedAt(session.path) }));
  return searchNearest(entries, { ...requestFor(query), limit: 20, ...filters }, { cache });
}

/**
 * Holds what the index finds by wording to what a scan finds: hits, scores and strength. Returns
 * the number of hits.
 */
export async function assertSameNearest(
  sessions: readonly AgentSession[],
  queries: readonly string[],
  cache: string,
): Promise<number> {
  let hits = 0;
  for (const query of queries) {
    for (const filters of [{}, { roles: ["assistant"] as const }, { since: 0 }]) {
      const found = await nearestIn(sessions, query, cache, filters);
      const wanted = await nearestIn(sessions, query, undefined, filters);
      const said = `${query} ${JSON.stringify(filters)}`;
      assert.deepEqual([found.hits, found.strength], [wanted.hits, wanted.strength], said);
      hits += found.hits.length;
    }
  }
  return hits;
}
