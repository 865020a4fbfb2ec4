/** Searches sessions in stages, the newest first, so that the first hits come at once. */
import type { SessionEntry } from "../../../library/query/query.ts";
import { bestHit, compareHits, TopHits } from "../../../library/search/rank.ts";
import { searchEntries, type SearchResult } from "../../../library/search/search.ts";
import type { SearchHit, SearchRequest } from "../../../library/search/search_task.ts";
import { withoutCopies } from "../../../library/search/copies.ts";
import { SEARCH_TIERS, searchTiers, type TieredResult } from "../../../library/search/tiers.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import type { SiteContext } from "../site_context.ts";

export interface SearchStage
  extends
    Pick<SearchResult, "hits" | "total" | "possible" | "unread" | "scanned_bytes">,
    Pick<TieredResult, "tier" | "strength" | "needs_index"> {
  /** Number of sessions that were searched so far. `all` is the number to search. */
  read: number;
  all: number;
  is_last: boolean;
}

/** Number of bytes of the first stage, chosen to take only a moment. */
const FIRST_BYTES = 4e6;
/** Factor by which a stage is larger than the one before. */
const GROWTH = 3;

export type StagedRequest =
  & Pick<SearchRequest, "query" | "limit">
  & Partial<Pick<SearchRequest, "roles" | "since" | "tool" | "file">>;

/**
 * Searches sessions, with the index if there is one. `entries` must have the newest update first.
 *
 * @throws {SyntaxError} If the query is malformed.
 */
export async function* searchInStages(
  { library, now }: SiteContext,
  entries: readonly SessionEntry[],
  asked: StagedRequest,
  signal: AbortSignal,
): AsyncGenerator<SearchStage> {
  const request = { ...asked, now: now().getTime() };
  const { cache, kept, marks } = library;
  const options = { cache, kept, marks, signal };
  const top = new TopHits<SearchHit>({ sort: "relevance", limit: asked.limit });
  let [total, possible, scanned_bytes, read] = [0, 0, 0, 0];
  const unread: SearchResult["unread"][number][] = [];
  const all = entries.length;
  const stage = (is_last: boolean): SearchStage => {
    const hits = withoutCopies(top.hits);
    return { hits, total, possible, unread, scanned_bytes, read, all, is_last, tier: "message" };
  };
  for (let bytes = FIRST_BYTES; read < all; bytes *= GROWTH) {
    const part = entries.slice(read, read + countWithin(entries, read, bytes));
    const result = await searchEntries(part, request, options);
    for (const hit of result.hits) top.offer(hit, () => hit);
    total += result.total;
    possible += result.possible;
    scanned_bytes += result.scanned_bytes;
    for (const one of result.unread) unread.push(one);
    read += part.length;
    // The index knows the sessions: the others take no longer.
    if (result.scanned_bytes === 0) bytes = Infinity;
    const next = entries[read];
    const floor = top.hits[asked.limit - 1];
    if (next === undefined) break;
    const best = bestHit({
      ref: sessionRef(next.session),
      updated: next.updated,
      roles: asked.roles,
      may_be_whole: true,
    }, request.now);
    if (floor !== undefined && compareHits("relevance", best, floor) > 0) {
      possible = Infinity;
      break;
    }
    yield stage(false);
  }
  const last = stage(true);
  if (last.hits.length > 0) return yield last;
  const found = await searchTiers(
    entries,
    { ...request, tiers: SEARCH_TIERS.slice(1) },
    options,
  );
  yield { ...last, ...found, unread, scanned_bytes: scanned_bytes + found.scanned_bytes };
}

/** Returns how many sessions from index `from` on together have `bytes` bytes; at least one. */
function countWithin(entries: readonly SessionEntry[], from: number, bytes: number): number {
  let [at, left] = [from, bytes];
  do left -= Math.max(0, entries[at++]?.state?.size ?? 0); while (at < entries.length && left > 0);
  return at - from;
}
