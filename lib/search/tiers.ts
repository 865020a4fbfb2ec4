/**
 * Searches in two tiers: all words in one message, else in different messages of one session. A hit
 * in a copy of a session counts once.
 */
import { REPRISE } from "../event/agent_name.ts";
import { present } from "../event/present.ts";
import { knownMoment } from "../session/update_order.ts";
import { TEAM_REF } from "../source/ref.ts";
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
  { tier, limit: wanted = 20, ...request }: Asked,
  options: SearchOptions,
): Promise<TieredResult> {
  for (let limit = wanted;; limit *= 4) {
    const result = await searchEntries(entries, { ...request, limit }, options);
    const hits = withoutCopies(result.hits);
    const copies = result.hits.length - hits.length;
    // Further hits take the place of copies.
    if (copies > 0 && hits.length < wanted && result.hits.length >= limit) continue;
    const is_enough = hits.length > 0 || result.searched_in_time !== undefined;
    const across = tier === "message" || is_enough && tier === undefined
      ? []
      : await searchAcross(entries, request, options);
    if (across.length > 0) {
      const counts = { total: across.length, possible: across.length, estimated: false };
      return { ...result, ...counts, hits: across.slice(0, wanted), tier: "session" };
    }
    const [total, possible] = [result.total - copies, result.possible - copies];
    return { ...result, hits: hits.slice(0, wanted), total, possible, tier: "message" };
  }
}

/** Leaves out each hit that another session has, too: it was handed over, imported or forked. */
export function withoutCopies(hits: readonly SearchHit[]): SearchHit[] {
  const keyOf = ({ role, time, snippet }: SearchHit): string =>
    `${role}\0${Math.floor(time / 1000)}\0${snippet}`;
  const own = hits.filter(({ ref }) => !ref.startsWith(TEAM_REF));
  // The session of another agent comes before its backup.
  const others = own.filter(({ agent }) => agent !== REPRISE);
  const firsts = new Map(
    [...own.toReversed(), ...others.toReversed()].map((hit) => [keyOf(hit), hit]),
  );
  const idOf = (id: string, { seq, role }: SearchHit): string => `${id}#${seq} ${role}`;
  const local = new Set(own.map((hit) => idOf(hit.ref, hit)));
  return hits.filter((hit) => {
    // A team's copies differ in what is redacted.
    if (hit.ref.startsWith(TEAM_REF)) return !local.has(idOf(hit.session_id, hit));
    const same = firsts.get(keyOf(hit)) ?? hit;
    // Some agents keep whole seconds. The times are NaN where there is none.
    const is_same_time = [same.time - hit.time, same.time % 1000, hit.time % 1000].includes(0);
    return same.ref === hit.ref || !is_same_time;
  });
}

/** Finds sessions that have all parts of a query: the best hit for each part. */
export async function searchAcross(
  entries: readonly SearchedEntry[],
  { by_session = false, ...request }: Asked,
  options: SearchOptions,
): Promise<SearchHit[]> {
  const parts = request.regex ? [] : queryParts(parseQuery(request.query));
  if (parts.length < 2) return [];
  let [found, left] = [[] as SearchHit[], entries];
  // A long word is rare: it leaves fewer sessions to read.
  for (const query of parts.sort((one, other) => other.length - one.length)) {
    const all = { ...request, query, limit: Infinity, by_session: true, count_all: true };
    const { hits } = await searchEntries(left, all, options);
    const refs = new Set(hits.map(({ ref }) => ref));
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
    .flatMap((hits) => {
      const session_hits = hits.reduce((sum, { session_hits = 1 }) => sum + session_hits, 0);
      // A message with several of the words is shown once.
      const messages = new Map(hits.toReversed().map((hit) => [`${hit.seq} ${hit.role}`, hit]));
      const ordered = [...messages.values()].sort((one, other) => one.seq - other.seq)
        .map((hit) => present({ ...hit, session_hits: by_session ? session_hits : undefined }));
      return by_session ? ordered.slice(0, 1) : ordered;
    });
}
