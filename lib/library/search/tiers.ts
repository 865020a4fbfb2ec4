/**
 * Searches in three tiers: all words in one message, else in different messages of one session,
 * else nearest by wording. A hit in a copy of a session counts once.
 */
import { present } from "../../core/event/present.ts";
import { knownMoment } from "../../core/store/update_order.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import { withoutCopies } from "./copies.ts";
import { parseQuery, queryParts } from "./query.ts";
import { searchEntries, type SearchOptions, type SearchResult } from "./search.ts";
import type { SearchedEntry, SearchHit, SearchRequest } from "./search_task.ts";
import { type NearestResult, searchNearest } from "./wording/nearest.ts";
import { isCommonWord } from "./wording/words.ts";

/** The scope of a hit: all words in one message, all in one session, or some in one turn. */
export type SearchTier = "message" | "session" | "wording";

/** The tiers in the order in which they are searched. */
export const SEARCH_TIERS: readonly SearchTier[] = ["message", "session", "wording"];
/** The tiers whose hits have all words of the query. */
export const EXACT_TIERS: readonly SearchTier[] = ["message", "session"];

/** Returns the headline for hits of a tier. Empty for the tier `message`. */
export function tierText({ tier, strength }: Pick<TieredResult, "tier" | "strength">): string {
  if (tier === "message") return "";
  if (tier === "session") {
    return "No message has all of these words. These sessions have the words in different " +
      "messages:";
  }
  return strength === "strong"
    ? "No session has all of these words. Nearest by wording:"
    : "Nothing close. Weak matches:";
}

/** Shown if an index is missing, so that the tier `wording` cannot be searched. */
export const NEEDS_INDEX =
  "To find messages with similar words in this much text, build an index: reprise index build";

/** Maximum number of hits of the tier `wording`. Not applied if it is the only requested tier. */
export const MOST_NEAREST = 5;

export interface TieredRequest extends SearchRequest {
  /** The tiers to search. A tier is searched only if no earlier tier has a hit. @default {all} */
  tiers?: readonly SearchTier[];
}

type Asked = Pick<SearchRequest, "query" | "now"> & Partial<TieredRequest>;

export interface TieredResult
  extends SearchResult, Partial<Pick<NearestResult, "strength" | "needs_index">> {
  tier: SearchTier;
  /** References of sessions whose hits were left out as copies; absent if there were none. */
  copies?: string[];
}

const NOTHING: SearchResult = {
  ...{ hits: [], total: 0, possible: 0, estimated: false, unread: [], scanned_bytes: 0 },
};

/**
 * Searches sessions as `searchEntries` does, tier by tier until one has a hit.
 *
 * @throws {SyntaxError} With the fault in the query.
 */
export async function searchTiers(
  entries: readonly SearchedEntry[],
  { tiers = SEARCH_TIERS, ...request }: Asked,
  options: SearchOptions,
): Promise<TieredResult> {
  const { limit = 20, count_all } = request;
  let result: TieredResult = { ...NOTHING, tier: tiers[0] ?? "message" };
  if (tiers.includes("message")) result = await searchMessages(entries, request, options);
  const { searched_in_time } = result;
  if (result.hits.length > 0 || searched_in_time !== undefined) return result;
  if (tiers.includes("session")) {
    const across = await searchAcross(entries, request, options);
    const counts = { total: across.length, possible: across.length, estimated: false };
    const hits = across.slice(0, limit);
    if (hits.length > 0) return { ...result, ...counts, hits, tier: "session" };
  }
  if (!tiers.includes("wording") || count_all && !request.by_session) return result;
  const most = tiers.length > 1 ? Math.min(limit, MOST_NEAREST) : limit;
  const nearest = await searchNearest(entries, { ...request, limit: most }, options);
  const total = nearest.hits.length;
  return {
    ...{ ...result, ...nearest, total, possible: total, estimated: false },
    unread: result.unread.length > 0 ? result.unread : nearest.unread,
    scanned_bytes: Math.max(result.scanned_bytes, nearest.scanned_bytes),
    tier: total > 0 ? "wording" : result.tier,
  };
}

async function searchMessages(
  entries: readonly SearchedEntry[],
  { limit: wanted = 20, ...request }: Asked,
  options: SearchOptions,
): Promise<TieredResult> {
  for (let limit = wanted;; limit *= 4) {
    const result = await searchEntries(entries, { ...request, limit }, options);
    const hits = withoutCopies(result.hits);
    const copies = result.hits.length - hits.length;
    // Further hits take the place of copies.
    if (copies > 0 && hits.length < wanted && result.hits.length >= limit) continue;
    const [total, possible] = [result.total - copies, result.possible - copies];
    const found = { ...result, hits: hits.slice(0, wanted), total, possible };
    if (copies === 0) return { ...found, tier: "message" };
    const kept = new Set(hits);
    const left_out = result.hits.filter((hit) => !kept.has(hit)).map(({ ref }) => ref);
    return { ...found, copies: left_out, tier: "message" };
  }
}

/**
 * Finds sessions that match every part of a query. Returns each session's best hit for each part.
 * Hits of common words are left out if there are others.
 */
export async function searchAcross(
  entries: readonly SearchedEntry[],
  { by_session = false, ...request }: Omit<Asked, "tiers">,
  options: SearchOptions,
): Promise<SearchHit[]> {
  const parts = request.regex ? [] : queryParts(parseQuery(request.query));
  if (parts.length < 2) return [];
  let [found, left] = [[] as SearchHit[], entries];
  const common = new Set<SearchHit>();
  // A long word is rare: it leaves fewer sessions to read.
  for (const query of parts.sort((one, other) => other.length - one.length)) {
    const all = { ...request, query, limit: Infinity, by_session: true, count_all: true };
    const { hits } = await searchEntries(left, all, options);
    const refs = new Set(hits.map(({ ref }) => ref));
    const is_common = parseQuery(query).terms.every(({ text }) => isCommonWord(text));
    if (is_common) hits.forEach((hit) => common.add(hit));
    found = [...found, ...hits].filter(({ ref }) => refs.has(ref));
    left = left.filter(({ session }) => refs.has(sessionRef(session)));
  }
  const rankOf = (hits: readonly SearchHit[]): number =>
    request.sort === "time"
      ? hits.reduce((last, { time }) => Math.max(last, knownMoment(time)), -Infinity)
      : hits.reduce((sum, { score }) => sum + score, 0);
  return Map.groupBy(withoutCopies(found), ({ ref }) => ref).values().toArray()
    .filter((hits) => hits.length === parts.length)
    .sort((one, other) => rankOf(other) - rankOf(one))
    .flatMap((all) => {
      const telling = all.filter((hit) => !common.has(hit));
      const hits = telling.length > 0 ? telling : all;
      const session_hits = hits.reduce((sum, { session_hits = 1 }) => sum + session_hits, 0);
      // A message with several of the words is shown once.
      const messages = new Map(hits.toReversed().map((hit) => [`${hit.seq} ${hit.role}`, hit]));
      const ordered = [...messages.values()].sort((one, other) => one.seq - other.seq)
        .map((hit) => present({ ...hit, session_hits: by_session ? session_hits : undefined }));
      return by_session ? ordered.slice(0, 1) : ordered;
    });
}
