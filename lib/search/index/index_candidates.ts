/**
 * The texts that an index cannot rule out, ranked as high as they could come.
 */
import { type CandidatePart, CandidateSet } from "./candidate_set.ts";
import type { KnownSession } from "./index_state.ts";
import { roleAt, sizeAt, timeAt } from "./indexed_texts.ts";
import type { Term } from "../query.ts";
import { mayFit } from "../query_match.ts";
import { scoreOf } from "../rank.ts";
import { isAskedFor, type SearchTask } from "../search_task.ts";
import { type Segment, trigramQuery } from "./segment.ts";
import type { SegmentEntry } from "./segment_entry.ts";

/** The candidates of what is known of some sessions; undefined where the index does not tell. */
export function indexCandidates(
  task: SearchTask,
  known: readonly KnownSession[],
): CandidateSet | undefined {
  const { root, terms } = task.parsed;
  const told = new Set(terms.filter((term) => trigramQuery(term) !== undefined));
  // Whether whatever fits has one of the terms of which the index tells.
  if (mayFit(root, (term) => !told.has(term))) return undefined;
  const found = new CandidateSet(task.sort);
  const flags = new Map<Segment, SegmentFlags>();
  for (const { session, parts } of known) {
    for (const { segment, entry } of parts) {
      let of = flags.get(segment);
      if (of === undefined) flags.set(segment, of = flagsOf(segment, told));
      if (of.some && hasAny(of, entry)) addCandidates(task, { session, entry }, of, found);
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
  /** Whether there is such a text at all. */
  some: boolean;
}

function flagsOf(segment: Segment, terms: ReadonlySet<Term>): SegmentFlags {
  const any = new Uint8Array(segment.end);
  const flags = new Map<Term, Uint8Array>();
  let some = false;
  for (const term of terms) {
    const of = new Uint8Array(segment.end);
    for (const number of segment.textsWith(term) ?? []) {
      of[number] = any[number] = 1;
      some = true;
    }
    flags.set(term, of);
  }
  return { terms: flags, any, some };
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
  const { first, count } = part.entry;
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
    const [role, time] = [roleAt(numbers, index), timeAt(numbers, index)];
    if (!isAskedFor(task, role, time)) continue;
    if (task.sort === "time") {
      found.add(index, time);
      continue;
    }
    const coverage = terms.length === 1 ? 1 : terms.filter(may).length / terms.length;
    found.add(index, scoreOf({ time, role, size: sizeAt(numbers, index), coverage }, task.now));
  }
}
