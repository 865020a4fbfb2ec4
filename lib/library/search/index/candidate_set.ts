/**
 * Stores candidate texts as numbers. A common word has so many candidates that creating objects
 * would take most of the search's time.
 */
import { REPRISE } from "../../../core/event/agent_name.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { compareHits, type Ranked, type SearchSort, sortTime } from "../rank.ts";
import type { SearchedSession } from "../search_task.ts";
import { type IndexedText, type SourceTexts, TEXT } from "./index_source.ts";

export interface IndexCandidate
  extends Omit<IndexedText, "thread" | "group" | "size">, SearchedSession {
  thread: string;
}

export interface CandidatePart extends SearchedSession {
  texts: SourceTexts;
  /** The ids of the session's threads; undefined if there is only the main thread. */
  threads: readonly string[] | undefined;
}

export class CandidateSet {
  readonly #sort: SearchSort;
  readonly #parts: CandidatePart[] = [];
  /** The time or highest possible score of each candidate. */
  #values: number[] = [];
  /** The index in `#parts` of each candidate's part. */
  #owners: number[] = [];
  /** The index of each candidate's text in the candidate's index part. */
  #indexes: number[] = [];

  constructor(sort: SearchSort) {
    this.#sort = sort;
  }

  get size(): number {
    return this.#values.length;
  }

  /** Begins a part, to which the next candidates belong. */
  begin(part: CandidatePart): void {
    this.#parts.push(part);
  }

  add(index: number, value: number): void {
    // An unknown time comes last.
    this.#values.push(Number.isNaN(value) ? -Infinity : value);
    this.#owners.push(this.#parts.length - 1);
    this.#indexes.push(index);
  }

  isBehind(hit: Ranked): boolean {
    const value = this.#sort === "time" ? sortTime(hit) : hit.score;
    return this.#values.every((other, at) =>
      other < value || (other === value && compareHits(this.#sort, this.#rankedAt(at), hit) > 0)
    );
  }

  get sessions(): ReadonlySet<AgentSession> {
    return new Set(this.#owners.map((owner) => this.#parts[owner]?.session as AgentSession));
  }

  lower(is_lower: (session: AgentSession) => boolean, by: number): void {
    const flags = this.#parts.map(({ session }) => is_lower(session));
    for (const [at, owner] of this.#owners.entries()) {
      if (flags[owner]) this.#values[at] = (this.#values[at] as number) - by;
    }
  }

  drop(is_dropped: (session: AgentSession) => boolean): void {
    const flags = this.#parts.map(({ session }) => is_dropped(session));
    this.#sift((at) => !flags[this.#owners[at] as number]);
  }

  #sift(is_kept: (at: number) => boolean): void {
    let left = 0;
    for (let at = 0; at < this.#values.length; at++) if (is_kept(at)) this.#move(at, left++);
    this.#values.length = this.#owners.length = this.#indexes.length = left;
  }

  /**
   * Removes and returns the best `count` candidates, unordered. Another agent's session is read
   * whole, so all its candidates are returned if one is.
   */
  takeFirst(count: number): IndexCandidate[] {
    const least = this.size <= 2 * count
      ? -Infinity
      : nthLargest(Float64Array.from(this.#values), count);
    const ties = this.#tiesAt(least, count);
    const isFirst = (at: number): boolean => {
      const value = this.#values[at] as number;
      return value > least || (value === least && ties?.has(at) !== false);
    };
    const read = new Set<AgentSession>();
    for (const [at, owner] of this.#owners.entries()) {
      const { session } = this.#parts[owner] as CandidatePart;
      if (session.agent !== REPRISE && isFirst(at)) read.add(session);
    }
    const is_read = this.#parts.map(({ session }) => read.has(session));
    const isTaken = (at: number): boolean =>
      is_read[this.#owners[at] as number] === true || isFirst(at);
    const first: IndexCandidate[] = [];
    this.#sift((at) => {
      if (!isTaken(at)) return true;
      first.push(this.#candidate(at));
      return false;
    });
    return first;
  }

  /** Chooses the best `count` candidates with this value. Undefined if there are not more. */
  #tiesAt(value: number, count: number): ReadonlySet<number> | undefined {
    const ties: number[] = [];
    for (const [at, other] of this.#values.entries()) if (other === value) ties.push(at);
    if (ties.length <= count) return undefined;
    const ranked = ties.map((at) => ({ at, hit: this.#rankedAt(at) }))
      .sort((a, b) => compareHits(this.#sort, a.hit, b.hit));
    return new Set(ranked.slice(0, count).map(({ at }) => at));
  }

  /** Returns a candidate with its highest possible score. */
  #rankedAt(at: number): Ranked {
    const { session, seq, role, time, updated } = this.#candidate(at);
    return {
      ref: sessionRef(session),
      seq,
      role,
      time,
      updated,
      score: this.#values[at] as number,
    };
  }

  #move(from: number, to: number): void {
    this.#values[to] = this.#values[from] as number;
    this.#owners[to] = this.#owners[from] as number;
    this.#indexes[to] = this.#indexes[from] as number;
  }

  #candidate(at: number): IndexCandidate {
    const part = this.#parts[this.#owners[at] as number] as CandidatePart;
    const { session, updated, texts, threads } = part;
    const index = this.#indexes[at] as number;
    const get = (column: number): number => texts.get(index, column);
    return {
      ...{ session, updated, role: texts.role(index) },
      ...{ seq: get(TEXT.SEQ), time: get(TEXT.TIME) },
      ...{ offset: get(TEXT.OFFSET), length: get(TEXT.LENGTH) },
      thread: threads?.[get(TEXT.THREAD)] ?? MAIN_THREAD,
    };
  }
}

/** Largest `count` for which {@linkcode nthLargest} needs one pass. Above it, sorting is faster. */
const MOST_KEPT = 256;

/** Returns the `count`-th largest of `values`; `-Infinity` if there are fewer values. */
export function nthLargest(values: Float64Array, count: number): number {
  if (count > MOST_KEPT) return values.slice().sort()[values.length - count] ?? -Infinity;
  const kept = new Float64Array(count).fill(-Infinity);
  let least = 0;
  for (const value of values) {
    if (value <= (kept[least] as number)) continue;
    kept[least] = value;
    for (let index = 0; index < count; index++) {
      if ((kept[index] as number) < (kept[least] as number)) least = index;
    }
  }
  return kept[least] ?? -Infinity;
}
