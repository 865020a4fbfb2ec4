/**
 * The texts that an index cannot rule out, ranked as high as they could come.
 */
import type { AgentSession } from "../../source/agent.ts";
import type { Term } from "../query.ts";
import { mayFit } from "../query_match.ts";
import { scoreOf, sortTime } from "../rank.ts";
import { isAskedFor, type SearchTask } from "../search_task.ts";
import { type CandidatePart, CandidateSet } from "./candidate_set.ts";
import type { KnownSession } from "./index_state.ts";
import { roleAt, type Segment, seqAt, sizeAt, threadAt, timeAt, trigramQuery } from "./segment.ts";
import type { SegmentEntry } from "./segment_entry.ts";

/** A scan finds more sooner: of a word as common, the newest sessions fill the page. */
const MOST_CANDIDATES = 100_000;

/**
 * The candidates of what is known of some sessions; undefined where the index does not tell, or tells
 * of too many to hold.
 *
 * @param updatedOf Tells when a session was last updated.
 */
export function indexCandidates(
  task: SearchTask,
  known: readonly KnownSession[],
  updatedOf: (session: AgentSession) => number,
): CandidateSet | undefined {
  const { root, terms } = task.parsed;
  const told = new Set(terms.filter((term) => trigramQuery(term) !== undefined));
  // Whether whatever fits has one of the terms of which the index tells.
  if (mayFit(root, (term) => !told.has(term))) return undefined;
  const found = new CandidateSet(task.sort);
  const flags = new Map<Segment, SegmentFlags>();
  for (const { session, parts } of known) {
    for (const { segment, entry, last_seq = Infinity } of parts) {
      let of = flags.get(segment);
      if (of === undefined) flags.set(segment, of = flagsOf(segment, told));
      if (!of.some || !hasAny(of, entry)) continue;
      const updated = updatedOf(session);
      addCandidates(task, { session, updated, entry, last_seq }, of, found);
      if (found.size > MOST_CANDIDATES) return undefined;
    }
  }
  return found;
}

/** Which texts of a file of the index may have which terms. */
interface SegmentFlags {
  /** One byte for each text. */
  terms: ReadonlyMap<Term, Uint8Array>;
  /** One byte for each text: whether it may have any of them. */
  any: Uint8Array;
  /** True if there is such a text at all. */
  some: boolean;
}

function flagsOf(segment: Segment, terms: ReadonlySet<Term>): SegmentFlags {
  const any = new Uint8Array(segment.end);
  const flags = new Map<Term, Uint8Array>();
  for (const term of terms) {
    const of = segment.textsWith(term);
    if (of === undefined) continue;
    flags.set(term, of);
    for (let number = 0; number < of.length; number++) if (of[number] === 1) any[number] = 1;
  }
  return { terms: flags, any, some: any.includes(1) };
}

function hasAny({ any }: SegmentFlags, { first, count }: SegmentEntry): boolean {
  for (let number = first; number < first + count; number++) if (any[number] === 1) return true;
  return false;
}

/** Adds the candidates of one entry: of a common word there are so many that each step counts. */
function addCandidates(
  task: SearchTask,
  part: CandidatePart,
  { terms: flags, any }: SegmentFlags,
  found: CandidateSet,
): void {
  const { root, terms } = task.parsed;
  const { updated, last_seq, entry: { first, count } } = part;
  // Most sessions have none of a rare word: what is known of their texts need not be read.
  let numbers: Float64Array | undefined;
  let number = first;
  const may = (term: Term): boolean => flags.get(term)?.[number] !== 0;
  for (; number < first + count; number++) {
    if (any[number] !== 1 || !mayFit(root, may)) continue;
    if (numbers === undefined) {
      numbers = part.entry.numbers;
      found.begin(part);
    }
    const index = number - first;
    // Other threads are known as a whole.
    if (seqAt(numbers, index) > last_seq && threadAt(numbers, index) === 0) continue;
    const [role, time] = [roleAt(numbers, index), timeAt(numbers, index)];
    if (!isAskedFor(task, role, time)) continue;
    if (task.sort === "time") {
      found.add(index, sortTime({ time, updated }));
      continue;
    }
    const coverage = terms.length === 1 ? 1 : terms.filter(may).length / terms.length;
    // Whether it stands as a whole word, only reading it tells.
    const facts = { updated, role, size: sizeAt(numbers, index), coverage, whole: 1 };
    found.add(index, scoreOf(facts, task.now));
  }
}
