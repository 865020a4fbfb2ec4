/** Finds the texts that an index cannot rule out, ranked by their best possible score. */
import type { AgentSession } from "../../source/agent.ts";
import type { Term } from "../query.ts";
import { mayFit } from "../query_match.ts";
import { scoreOf, sortTime } from "../rank.ts";
import { isAskedFor, type SearchTask } from "../search_task.ts";
import { type CandidatePart, CandidateSet } from "./candidate_set.ts";
import type { KnownSession } from "./index_state.ts";
import { roleAt, type Segment, seqAt, sizeAt, threadAt, timeAt, trigramQuery } from "./segment.ts";
import type { SegmentEntry } from "./segment_entry.ts";

/** Most candidates: for so common a word, a scan fills the page sooner. */
const MOST_CANDIDATES = 100_000;

/**
 * Returns the candidates in the indexed sessions. Undefined if the index cannot tell, or has too
 * many.
 *
 * @param updatedOf Returns the time of a session's last update.
 */
export function indexCandidates(
  task: SearchTask,
  known: readonly KnownSession[],
  updatedOf: (session: AgentSession) => number,
): CandidateSet | undefined {
  const { root, terms } = task.parsed;
  const told = new Set(terms.filter((term) => trigramQuery(term) !== undefined));
  // True if every match has one of the terms that the index can find.
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

/** Texts of an index file that may have the terms. */
interface SegmentFlags {
  /** One byte per text. */
  terms: ReadonlyMap<Term, Uint8Array>;
  /** One byte per text: 1 if it may have any term. */
  any: Uint8Array;
  /** True if any text may. */
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

/** Adds the candidates of one entry. A common word has very many, so each step counts. */
function addCandidates(
  task: SearchTask,
  part: CandidatePart,
  { terms: flags, any }: SegmentFlags,
  found: CandidateSet,
): void {
  const { root, terms } = task.parsed;
  const { updated, last_seq, entry: { first, count } } = part;
  // Most sessions lack a rare word, so their texts' numbers stay unread.
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
    // Parts hold the main thread; other threads are indexed as a whole.
    if (seqAt(numbers, index) > last_seq && threadAt(numbers, index) === 0) continue;
    const [role, time] = [roleAt(numbers, index), timeAt(numbers, index)];
    if (!isAskedFor(task, role, time)) continue;
    if (task.sort === "time") {
      found.add(index, sortTime({ time, updated }));
      continue;
    }
    const coverage = terms.length === 1 ? 1 : terms.filter(may).length / terms.length;
    // Only reading tells if the match is a whole word.
    const facts = { updated, role, size: sizeAt(numbers, index), coverage, whole: 1 };
    found.add(index, scoreOf(facts, task.now));
  }
}
