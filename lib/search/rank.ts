/**
 * Ranks hits: a whole word before a part of one, then by role, length, and the age of the session.
 * The age is known before a session is read. So a search knows the most that an unread one can
 * have, and stops. Pure.
 */
import { knownMoment, newerFirst } from "../session/update_order.ts";
import { SEARCH_ROLES, type SearchRole } from "./searchable_text.ts";

/** The order of hits. */
export type SearchSort = "relevance" | "time";

/** The properties by which a hit is ranked. */
export interface Ranked {
  /** Milliseconds since 1970; NaN where nothing tells. */
  time: number;
  /** The time of its session's last update: milliseconds since 1970; NaN where nothing tells. */
  updated: number;
  /** The speaker of the hit. */
  role: SearchRole;
  /** The score, as {@linkcode scoreOf} gives it. */
  score: number;
  /** The name that tells one hit from all others. */
  ref: string;
  /** Number of the event. */
  seq: number;
  /** The thread that the event is numbered in; absent for the main one. */
  thread?: string;
}

/** What a score is made of. */
export interface ScoreFacts extends Pick<Ranked, "updated" | "role"> {
  /** Characters of the text. */
  size: number;
  /** How much of what was asked for is there, up to 1. */
  coverage: number;
  /** How much of what is there stands as whole words, up to 1. */
  whole: number;
}

const ROLE_WEIGHT: Readonly<Record<SearchRole, number>> = {
  user: 1,
  assistant: 0.9,
  reasoning: 0.6,
  tool: 0.5,
  context: 0.4,
};
/** More than all else together: no part of a word comes before a whole one. */
export const WHOLE_WEIGHT = 2;
/** As in BM25: how soon more length counts less, how much length counts, a usual length. */
const K1 = 1.2;
const B = 0.75;
const USUAL_SIZE = 1000;
const LONGEST_SIZE = 20_000;
const HALF_LIFE_MS = 30 * 86_400_000;

/** Returns the score of a hit. */
export function scoreOf(facts: ScoreFacts, now: number): number {
  const { role, size, coverage, whole, updated } = facts;
  // Up to the usual length, all count the same: the best score is then a frequent one.
  const length = Math.max(1, Math.min(size, LONGEST_SIZE) / USUAL_SIZE);
  const relevance = coverage * ROLE_WEIGHT[role] * (K1 + 1) / (1 + K1 * (1 - B + B * length));
  const age = Math.max(0, now - updated);
  const recency = Number.isNaN(age) ? 0 : 2 ** (-age / HALF_LIFE_MS);
  return WHOLE_WEIGHT * whole + relevance + recency;
}

/** What is known of a session before it is read. */
export interface UnreadSession extends Pick<Ranked, "ref" | "updated"> {
  /** The roles that are asked for. @default {all} */
  roles?: readonly SearchRole[] | undefined;
  /** True if a hit may stand as a whole word. */
  may_be_whole: boolean;
}

/** A hit that no hit of a session comes before. */
export function bestHit({ ref, updated, roles, may_be_whole }: UnreadSession, now: number): Ranked {
  const [role = "tool"] = (roles ?? SEARCH_ROLES).toSorted((a, b) =>
    ROLE_WEIGHT[b] - ROLE_WEIGHT[a]
  );
  const facts = { role, updated, size: 0, coverage: 1, whole: Number(may_be_whole) };
  return { ref, role, updated, time: Infinity, seq: Infinity, score: scoreOf(facts, now) };
}

/** Orders hits: what comes first is less. No two hits are the same. */
export function compareHits(sort: SearchSort, one: Ranked, other: Ranked): number {
  const order = sort === "time"
    ? newerFirst(sortTime(one), sortTime(other)) || newerFirst(timeOf(one), timeOf(other))
    : other.score - one.score || newerFirst(knownMoment(one.updated), knownMoment(other.updated));
  if (order !== 0) return order;
  if (one.ref !== other.ref) return one.ref < other.ref ? -1 : 1;
  return one.seq === other.seq ? (one.role < other.role ? -1 : 1) : other.seq - one.seq;
}

/** Nothing was said after its session's last update, whatever a clock said. */
export function sortTime(hit: Pick<Ranked, "time" | "updated">): number {
  return Number.isNaN(hit.updated) ? timeOf(hit) : Math.min(timeOf(hit), hit.updated);
}

function timeOf({ time }: Pick<Ranked, "time">): number {
  return knownMoment(time);
}

/** Keeps the first of many hits, and counts them. */
export class TopHits<Hit extends Ranked> {
  readonly #sort: SearchSort;
  readonly #limit: number;
  readonly #floor: Ranked | undefined;
  #hits: Hit[] = [];
  #worst: Ranked | undefined;
  /** All that were seen, kept or not. */
  total = 0;

  /** @param floor The last of as many hits that were found elsewhere. */
  constructor(sort: SearchSort, limit: number, floor?: Ranked) {
    this.#sort = sort;
    this.#limit = limit;
    this.#floor = floor;
  }

  /** Counts a hit; makes and keeps it where it may be one of the first. */
  offer(ranked: Ranked, make: () => Hit): void {
    this.total++;
    if (this.#worst !== undefined && compareHits(this.#sort, ranked, this.#worst) > 0) return;
    this.#hits.push(make());
    // Cut now and then only, so that each costs the same however many are kept.
    if (this.#hits.length >= 2 * this.#limit + 16) this.#cut();
  }

  /** True if what comes no earlier than a hit is none of the first. */
  excludes(best: Ranked): boolean {
    if (this.#floor !== undefined && compareHits(this.#sort, best, this.#floor) > 0) return true;
    if (this.#hits.length < this.#limit) return false;
    this.#cut();
    return this.#worst !== undefined && compareHits(this.#sort, best, this.#worst) > 0;
  }

  /** The first of all, in order. */
  get hits(): readonly Hit[] {
    this.#cut();
    return this.#hits;
  }

  #cut(): void {
    const kept = this.#hits.sort((a, b) => compareHits(this.#sort, a, b)).slice(0, this.#limit);
    this.#hits = kept;
    this.#worst = kept.length === this.#limit ? kept.at(-1) : undefined;
  }
}
