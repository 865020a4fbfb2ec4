/**
 * Ranks hits: whole words before parts, then by role, length, and age of the session. The age is
 * known before a session is read. So a search knows the best possible score of unread sessions, and
 * can stop. Pure.
 */
import { knownMoment, newerFirst } from "../../core/store/update_order.ts";
import { SEARCH_ROLES, type SearchRole } from "./searchable_text.ts";

/** The order of hits: the most relevant or the newest first. */
export type SearchSort = "relevance" | "time";

/** The properties by which a hit is ranked. */
export interface Ranked {
  /** Time of the hit in milliseconds since 1970; NaN if it is not known. */
  time: number;
  /** Time of the session's last update: milliseconds since 1970; NaN if unknown. */
  updated: number;
  /** The kind of text that matched, such as a prompt or an answer. */
  role: SearchRole;
  /** The relevance of the hit, computed by {@linkcode scoreOf}. */
  score: number;
  /** The reference of the hit's session. */
  ref: string;
  /** Number of the hit's event. */
  seq: number;
  /** The thread in which the hit's event is numbered; absent for the main thread. */
  thread?: string;
  /** Number of the session's hits. Present only if the search returns one hit for each session. */
  session_hits?: number;
}

export interface ScoreFacts extends Pick<Ranked, "updated" | "role"> {
  /** Length of the text in characters. */
  size: number;
  /** Share of the query's terms that match, from 0 to 1. */
  coverage: number;
  /** Share of the matching terms that are whole words, from 0 to 1. */
  whole: number;
}

const ROLE_WEIGHT: Readonly<Record<SearchRole, number>> = {
  user: 1,
  assistant: 0.9,
  reasoning: 0.6,
  tool: 0.5,
  context: 0.4,
};
/** The weight of whole words. It exceeds the sum of the others, so that whole words come first. */
export const WHOLE_WEIGHT = 2;
/** The saturation of BM25. `B` is the weight of a text's length, `USUAL_SIZE` the usual length. */
const K1 = 1.2;
const B = 0.75;
const USUAL_SIZE = 1000;
const LONGEST_SIZE = 20_000;
const HALF_LIFE_MS = 30 * 86_400_000;

export function scoreOf(facts: ScoreFacts, now: number): number {
  const { role, size, coverage, whole, updated } = facts;
  // Up to the usual length, all texts score the same, so that many have the best score.
  const length = Math.max(1, Math.min(size, LONGEST_SIZE) / USUAL_SIZE);
  const relevance = coverage * ROLE_WEIGHT[role] * (K1 + 1) / (1 + K1 * (1 - B + B * length));
  const age = Math.max(0, now - updated);
  const recency = Number.isNaN(age) ? 0 : 2 ** (-age / HALF_LIFE_MS);
  return WHOLE_WEIGHT * whole + relevance + recency;
}

export interface UnreadSession extends Pick<Ranked, "ref" | "updated"> {
  /** Roles of the texts that are searched. @default {all} */
  roles?: readonly SearchRole[] | undefined;
  /** True if a whole word of the session may match. Whole words score higher. */
  may_be_whole: boolean;
}

/** Returns the rank of the best hit that an unread session can have. */
export function bestHit({ ref, updated, roles, may_be_whole }: UnreadSession, now: number): Ranked {
  const [role = "tool"] = (roles ?? SEARCH_ROLES).toSorted((a, b) =>
    ROLE_WEIGHT[b] - ROLE_WEIGHT[a]
  );
  const facts = { role, updated, size: 0, coverage: 1, whole: Number(may_be_whole) };
  return { ref, role, updated, time: Infinity, seq: Infinity, score: scoreOf(facts, now) };
}

/** Compares two hits; negative if the first ranks higher. No two hits are equal. */
export function compareHits(sort: SearchSort, one: Ranked, other: Ranked): number {
  const order = sort === "time"
    ? newerFirst(sortTime(one), sortTime(other)) || newerFirst(timeOf(one), timeOf(other))
    : other.score - one.score || newerFirst(knownMoment(one.updated), knownMoment(other.updated));
  if (order !== 0) return order;
  if (one.ref !== other.ref) return one.ref < other.ref ? -1 : 1;
  return one.seq === other.seq ? (one.role < other.role ? -1 : 1) : other.seq - one.seq;
}

/** Returns a hit's time, capped at the session's last update, because clocks may be wrong. */
export function sortTime(hit: Pick<Ranked, "time" | "updated">): number {
  return Number.isNaN(hit.updated) ? timeOf(hit) : Math.min(timeOf(hit), hit.updated);
}

function timeOf({ time }: Pick<Ranked, "time">): number {
  return knownMoment(time);
}

export interface TopHitsOptions {
  sort: SearchSort;
  limit: number;
  /** True to keep only the best hit of each session, with the number of its hits. */
  by_session?: boolean | undefined;
}

export class TopHits<Hit extends Ranked> {
  readonly #sort: SearchSort;
  readonly #limit: number;
  readonly #floor: Ranked | undefined;
  /** The best hit of each session; undefined if all hits are kept. */
  readonly #best: Map<string, Hit> | undefined;
  #hits: Hit[] = [];
  #worst: Ranked | undefined;
  /** Number of all hits passed to `offer`, including hits that were dropped. */
  total = 0;

  /** @param floor Last hit of another search's full page. Hits that rank lower are not needed. */
  constructor({ sort, limit, by_session = false }: TopHitsOptions, floor?: Ranked) {
    this.#sort = sort;
    this.#limit = limit;
    this.#floor = floor;
    this.#best = by_session ? new Map() : undefined;
  }

  /** Counts a hit. Calls `make` only if the hit may be among the `limit` highest ranked hits. */
  offer(ranked: Ranked, make: () => Hit): void {
    this.total++;
    if (this.#best !== undefined) return this.#offerTo(this.#best, ranked, make);
    if (this.#worst !== undefined && compareHits(this.#sort, ranked, this.#worst) > 0) return;
    this.#hits.push(make());
    // Sorted only from time to time, so that the cost of a hit does not grow.
    if (this.#hits.length >= 2 * this.#limit + 16) this.#cut();
  }

  #offerTo(best: Map<string, Hit>, ranked: Ranked, make: () => Hit): void {
    const known = best.get(ranked.ref);
    const session_hits = (known?.session_hits ?? 0) + (ranked.session_hits ?? 1);
    const is_first = known === undefined || compareHits(this.#sort, ranked, known) < 0;
    best.set(ranked.ref, { ...is_first ? make() : known, session_hits });
  }

  /** True if no hit with the rank of `best` or a lower one can be among the `limit` best hits. */
  excludes(best: Ranked): boolean {
    if (this.#floor !== undefined && compareHits(this.#sort, best, this.#floor) > 0) return true;
    if (this.#hits.length < this.#limit) return false;
    this.#cut();
    return this.#worst !== undefined && compareHits(this.#sort, best, this.#worst) > 0;
  }

  get hits(): readonly Hit[] {
    this.#cut();
    return this.#hits;
  }

  #cut(): void {
    if (this.#best !== undefined) this.#hits = [...this.#best.values()];
    const kept = this.#hits.sort((a, b) => compareHits(this.#sort, a, b)).slice(0, this.#limit);
    this.#hits = kept;
    this.#worst = kept.length === this.#limit ? kept.at(-1) : undefined;
  }
}
