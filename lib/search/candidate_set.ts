/**
 * Texts that may fit, as numbers: of a common word there are so many that an object for each would
 * take longer than all else.
 */
import { textAt } from "./indexed_texts.ts";
import { nthLargest } from "./nth_largest.ts";
import { compareHits, type Ranked, type SearchSort } from "./rank.ts";
import type { SearchSource } from "./search_source.ts";
import type { SegmentEntry } from "./segment.ts";

/** A text that may fit, with the highest score that it can have. */
export interface IndexCandidate extends Ranked {
  source: SearchSource;
  /** Where its line lies in a log of ours. */
  offset: number;
  length: number;
}

/** A stretch of a session that the index knows. */
export interface CandidatePart {
  source: SearchSource;
  entry: SegmentEntry;
}

/** Candidates, to be taken in order. */
export class CandidateSet {
  readonly #sort: SearchSort;
  readonly #parts: CandidatePart[] = [];
  /** Of each candidate: the time or the score, the part, and its place there. */
  #values: number[] = [];
  #owners: number[] = [];
  #indexes: number[] = [];

  constructor(sort: SearchSort) {
    this.#sort = sort;
  }

  /** How many are left. */
  get size(): number {
    return this.#values.length;
  }

  /** Begins a part: the candidates that follow are of it. */
  begin(part: CandidatePart): void {
    this.#parts.push(part);
  }

  /** Adds the text at a place of the part, with the time or the highest score that it has. */
  add(index: number, value: number): void {
    // A time that nobody knows comes last.
    this.#values.push(Number.isNaN(value) ? -Infinity : value);
    this.#owners.push(this.#parts.length - 1);
    this.#indexes.push(index);
  }

  /** Whether a hit comes before all that are left. */
  isBehind({ time, score }: Ranked): boolean {
    const value = this.#sort === "time" ? time : score;
    return this.#values.every((other) => other < value);
  }

  /** Takes the first so many, and those that are as good as the last of them. */
  takeFirst(count: number): IndexCandidate[] {
    const least = this.size <= 2 * count
      ? -Infinity
      : nthLargest(Float64Array.from(this.#values), count);
    const first: IndexCandidate[] = [];
    let left = 0;
    for (let at = 0; at < this.#values.length; at++) {
      const value = this.#values[at] as number;
      if (value >= least) first.push(this.#candidate(at, value));
      else this.#move(at, left++);
    }
    this.#values.length = this.#owners.length = this.#indexes.length = left;
    return first.sort((a, b) => compareHits(this.#sort, a, b));
  }

  #move(from: number, to: number): void {
    this.#values[to] = this.#values[from] as number;
    this.#owners[to] = this.#owners[from] as number;
    this.#indexes[to] = this.#indexes[from] as number;
  }

  #candidate(at: number, value: number): IndexCandidate {
    const { source, entry } = this.#parts[this.#owners[at] as number] as CandidatePart;
    const { seq, role, time, offset, length } = textAt(entry.numbers, this.#indexes[at] as number);
    const score = this.#sort === "time" ? 0 : value;
    return { source, ref: source.ref, seq, role, time, score, offset, length };
  }
}
