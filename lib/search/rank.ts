/**
 * Ranks hits. The score uses only what the index knows without the text: match, role, length and
 * age. So all hits are ranked without reading any. Pure.
 */
import type { SearchRole } from "./searchable_text.ts";

/** The order of hits. */
export type SearchSort = "relevance" | "time";

/** The properties by which a hit is ranked. */
export interface Ranked {
  /** Milliseconds since 1970; NaN where nothing tells. */
  time: number;
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
export interface ScoreFacts extends Pick<Ranked, "time" | "role"> {
  /** Characters of the text. */
  size: number;
  /** How much of what was asked for is there, up to 1. */
  coverage: number;
}

const ROLE_WEIGHT: Readonly<Record<SearchRole, number>> = {
  user: 1,
  assistant: 0.9,
  reasoning: 0.6,
  tool: 0.5,
  context: 0.4,
};
/** As in BM25: how soon more length counts less, how much length counts, a usual length. */
const K1 = 1.2;
const B = 0.75;
const USUAL_SIZE = 1000;
const LONGEST_SIZE = 20_000;
const RECENCY_WEIGHT = 0.3;
const HALF_LIFE_MS = 30 * 86_400_000;

/** How well a hit answers. */
export function scoreOf({ time, role, size, coverage }: ScoreFacts, now: number): number {
  const length = Math.min(size, LONGEST_SIZE) / USUAL_SIZE;
  const relevance = coverage * ROLE_WEIGHT[role] * (K1 + 1) / (1 + K1 * (1 - B + B * length));
  const age = Math.max(0, now - time);
  const recency = Number.isNaN(age) ? 0 : 2 ** (-age / HALF_LIFE_MS);
  return relevance + RECENCY_WEIGHT * recency;
}

/** Orders hits: what comes first is less. No two hits are the same. */
export function compareHits(sort: SearchSort, one: Ranked, other: Ranked): number {
  const [a, b] = sort === "time" ? [timeOf(one), timeOf(other)] : [one.score, other.score];
  if (a !== b) return b - a;
  if (one.ref !== other.ref) return one.ref < other.ref ? -1 : 1;
  return one.seq === other.seq ? (one.role < other.role ? -1 : 1) : other.seq - one.seq;
}

function timeOf({ time }: Ranked): number {
  return Number.isNaN(time) ? -Infinity : time;
}

/** Keeps the first of many hits, and counts them. */
export class TopHits<Hit extends Ranked> {
  readonly #sort: SearchSort;
  readonly #limit: number;
  #hits: Hit[] = [];
  #worst: Ranked | undefined;
  /** All that were seen, kept or not. */
  total = 0;

  constructor(sort: SearchSort, limit: number) {
    this.#sort = sort;
    this.#limit = limit;
  }

  /** Counts a hit; makes and keeps it where it may be one of the first. */
  offer(ranked: Ranked, make: () => Hit): void {
    this.total++;
    if (this.#worst !== undefined && compareHits(this.#sort, ranked, this.#worst) > 0) return;
    this.#hits.push(make());
    // Cut now and then only, so that each costs the same however many are kept.
    if (this.#hits.length >= 2 * this.#limit + 16) this.#cut();
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
