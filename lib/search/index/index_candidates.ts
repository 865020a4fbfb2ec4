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

/** The candidates of what is known of some sessions; undefined where the index does not tell. */
export function indexCandidates(
  task: SearchTask,
  known: readonly KnownSession[],
): CandidateSet | undefined {
  const { root, terms } = task.parsed;
  const told = new Set(terms.filter((term) => trigramQuery(term) !== undefined));
  // Whether whatever fits has one of the terms of which the index tells.
  if (mayFit(root, (term) => !told.has(term))) return undefined;
  const parts = known.flatMap(({ session, parts }) => parts.map((part) => ({ session, ...part })));
  const found = new CandidateSet(task.sort);
  for (const [segment, some] of Map.groupBy(parts, ({ segment }) => segment)) {
    const flags = new Map([...told].map((term) => [term, flagsOf(segment, term)]));
    for (const part of some) addCandidates(task, part, flags, found);
  }
  return found;
}

/** One byte for each text of a file of the index: whether it may have a term. */
function flagsOf(segment: Segment, term: Term): Uint8Array {
  const flags = new Uint8Array(segment.end);
  for (const number of segment.textsWith(term) ?? []) flags[number] = 1;
  return flags;
}

/** Adds the candidates of one entry: of a common word there are so many that each step counts. */
function addCandidates(
  task: SearchTask,
  part: CandidatePart,
  flags: ReadonlyMap<Term, Uint8Array>,
  found: CandidateSet,
): void {
  const { root, terms } = task.parsed;
  const { first, count } = part.entry;
  // Most sessions have none of a rare word: what is known of their texts need not be read.
  let numbers: Float64Array | undefined;
  const all = [...flags.values()];
  let number = first;
  const may = (term: Term): boolean => flags.get(term)?.[number] !== 0;
  for (; number < first + count; number++) {
    if (!all.some((some) => some[number] === 1) || !mayFit(root, may)) continue;
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
