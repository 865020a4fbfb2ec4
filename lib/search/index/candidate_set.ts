/** Candidate texts as numbers. A common word has so many that objects would dominate the time. */
import { type IndexedText, textAt } from "./indexed_texts.ts";
import { nthLargest } from "./nth_largest.ts";
import type { Ranked, SearchSort } from "../rank.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { SegmentEntry } from "./segment_entry.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";

/** A text that may fit. */
export interface IndexCandidate extends Omit<IndexedText, "thread"> {
  session: AgentSession;
  /** The id of the thread that it stands in. */
  thread: string;
}

/** A stretch of a session that the index knows. */
export interface CandidatePart {
  session: AgentSession;
  entry: SegmentEntry;
}

/** Candidates, the most promising of which can be taken first. */
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

  /** Takes the first so many, in no order, and those that are as good as the last of them. */
  takeFirst(count: number): IndexCandidate[] {
    const least = this.size <= 2 * count
      ? -Infinity
      : nthLargest(Float64Array.from(this.#values), count);
    const first: IndexCandidate[] = [];
    let left = 0;
    for (let at = 0; at < this.#values.length; at++) {
      const value = this.#values[at] as number;
      if (value >= least) first.push(this.#candidate(at));
      else this.#move(at, left++);
    }
    this.#values.length = this.#owners.length = this.#indexes.length = left;
    return first;
  }

  #move(from: number, to: number): void {
    this.#values[to] = this.#values[from] as number;
    this.#owners[to] = this.#owners[from] as number;
    this.#indexes[to] = this.#indexes[from] as number;
  }

  #candidate(at: number): IndexCandidate {
    const { session, entry } = this.#parts[this.#owners[at] as number] as CandidatePart;
    const { thread, ...text } = textAt(entry.numbers, this.#indexes[at] as number);
    return { session, ...text, thread: entry.threads?.[thread] ?? MAIN_THREAD };
  }
}
