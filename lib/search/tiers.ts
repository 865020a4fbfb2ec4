/**
 * Searches in two tiers: all words in one message, else in different messages of one session. A hit
 * in a copy of a session counts once.
 */
import { TEAM_REF } from "../source/ref.ts";
import { knownMoment } from "../session/update_order.ts";
import { sessionRef } from "../source/session_name.ts";
import { parseQuery, queryParts } from "./query.ts";
import { searchEntries, type SearchOptions, type SearchResult } from "./search.ts";
import type { SearchedEntry, SearchHit, SearchRequest } from "./search_task.ts";

/** The place in which all words of a query stand: one message, or one session. */
export type SearchTier = "message" | "session";

/** Says that the second tier answered. */
export const SESSION_TIER =
  "No message has all of these words. In different messages of one session:";

/** A request, and the only tier to search. */
export interface TieredRequest extends SearchRequest {
  /** @default {the second one where the first one has no hit} */
  tier?: SearchTier;
}

const USUAL_LIMIT = 20;

type Asked = Pick<SearchRequest, "query" | "now"> & Partial<TieredRequest>;

/** A result, and the tier that has it. */
export interface TieredResult extends SearchResult {
  tier: SearchTier;
}

/**
 * Searches sessions as `searchEntries` does, and by the second tier where no message has all words.
 *
 * @throws {SyntaxError} With the fault in the query.
 */
export async function searchTiers(
  entries: readonly SearchedEntry[],
  { tier, ...request }: Asked,
  options: SearchOptions,
): Promise<TieredResult> {
  const first = await searchDistinct(entries, request, options);
  const is_enough = first.hits.length > 0 || first.searched_in_time !== undefined;
  if (tier === "message" || tier === undefined && is_enough) return { ...first, tier: "message" };
  const all = await searchAcross(entries, request, options);
  if (all.length === 0 && tier === undefined) return { ...first, tier: "message" };
  const [hits, total] = [all.slice(0, request.limit ?? USUAL_LIMIT), all.length];
  return { ...first, hits, total, possible: total, estimated: false, tier: "session" };
}

/** Searches sessions, and replaces hits in copies by further ones. */
async function searchDistinct(
  entries: readonly SearchedEntry[],
  request: Asked,
  options: SearchOptions,
): Promise<SearchResult> {
  const { limit: wanted = USUAL_LIMIT } = request;
  for (let limit = wanted;; limit *= 4) {
    const result = await searchEntries(entries, { ...request, limit }, options);
    const hits = withoutCopies(result.hits);
    const copies = result.hits.length - hits.length;
    if (copies > 0 && hits.length < wanted && result.hits.length >= limit) continue;
    const [total, possible] = [result.total - copies, result.possible - copies];
    return { ...result, hits: hits.slice(0, wanted), total, possible };
  }
}

/** Leaves out each hit that another session has, too: it was handed over, imported or forked. */
export function withoutCopies(hits: readonly SearchHit[]): SearchHit[] {
  const seen = new Map<string, SearchHit>();
  return hits.filter((hit) => {
    // Of a local session, the copies of a team differ in what is redacted.
    if (Number.isNaN(hit.time) || hit.ref.startsWith(TEAM_REF)) return true;
    const key = `${hit.role}\0${Math.floor(hit.time / 1000)}\0${hit.snippet}`;
    const same = seen.get(key) ?? hit;
    seen.set(key, same);
    // Some agents keep whole seconds.
    const is_same_time = [same.time - hit.time, same.time % 1000, hit.time % 1000].includes(0);
    return same.ref === hit.ref || !is_same_time;
  });
}

/**
 * Finds sessions that have all parts of a query, in any of their messages.
 *
 * @returns The best hit for each part, session by session. With `by_session`, only the first one,
 * with the number of all.
 */
async function searchAcross(
  entries: readonly SearchedEntry[],
  { by_session = false, ...request }: Asked,
  options: SearchOptions,
): Promise<SearchHit[]> {
  const parts = request.regex ? [] : queryParts(parseQuery(request.query));
  if (parts.length < 2) return [];
  let found: SearchHit[] = [];
  let left = entries;
  // A long word is rare: it leaves fewer sessions to read.
  for (const query of parts.sort((one, other) => other.length - one.length)) {
    const all = { ...request, query, limit: Infinity, by_session: true, count_all: true };
    const { hits } = await searchEntries(left, all, options);
    const refs = new Set(hits.map(({ ref }) => ref));
    found = [...found, ...hits].filter(({ ref }) => refs.has(ref));
    left = left.filter(({ session }) => refs.has(sessionRef(session)));
  }
  return Map.groupBy(withoutCopies(found), ({ ref }) => ref).values()
    .filter((hits) => hits.length === parts.length)
    .toArray().sort((one, other) => rankOf(other, request.sort) - rankOf(one, request.sort))
    .flatMap((hits) => {
      const ordered = hits.toSorted((one, other) => one.seq - other.seq);
      const session_hits = hits.reduce((sum, { session_hits = 1 }) => sum + session_hits, 0);
      if (by_session) return ordered.slice(0, 1).map((hit) => ({ ...hit, session_hits }));
      return ordered.map(({ session_hits: _, ...hit }) => hit);
    });
}

function rankOf(hits: readonly SearchHit[], sort: SearchRequest["sort"] | undefined): number {
  const ranks = hits.map(({ score, time }) => sort === "time" ? knownMoment(time) : score);
  return sort === "time" ? Math.max(...ranks) : ranks.reduce((sum, rank) => sum + rank, 0);
}
