/** Finds the texts that an index cannot rule out, ranked by their best possible score. */
import type { AgentSession } from "../../../agents/contract/agent.ts";
import type { Term } from "../query.ts";
import { mayFit } from "../query_match.ts";
import { scoreOf, sortTime } from "../rank.ts";
import { isAskedFor, type SearchTask } from "../search_task.ts";
import { type CandidatePart, CandidateSet } from "./candidate_set.ts";
import { type IndexReader, termGrams } from "./index_reader.ts";
import { FLAGS, hasFlag, SourceTexts, TEXT } from "./index_source.ts";
import type { KnownSession } from "./index_state.ts";

/** Maximum number of candidates. If there are more, a scan fills the page of hits sooner. */
const MOST_CANDIDATES = 100_000;

/**
 * Returns the candidates in the indexed sessions. Undefined if the index cannot tell, or has too
 * many candidates.
 *
 * @param updatedOf Returns the time of a session's last update.
 * @throws {UnusableIndex}
 */
export function indexCandidates(
  task: SearchTask,
  index: IndexReader,
  known: readonly KnownSession[],
  updatedOf: (session: AgentSession) => number,
): CandidateSet | undefined {
  const { root, terms } = task.parsed;
  const told = new Set(terms.filter((term) => termGrams(term).length > 0));
  // True if every match has one of the terms that the index can find.
  if (mayFit(root, (term) => !told.has(term))) return undefined;
  const found = new CandidateSet(task.sort);
  const groups = new Map([...told].map((term) => [term, index.groupsWith(term)]));
  const coverages = coverageByGroup(task, groups, index.groups);
  for (const { session, parts } of known) {
    for (const { source, last_seq = Infinity } of parts) {
      const place = index.placeOf(source) ?? 0;
      const of = coverages.subarray(place, place + source.groups);
      if (!of.some((coverage) => coverage > 0)) continue;
      const { packed } = index.stored(source.id);
      const { threads } = hasFlag(source, FLAGS.DETAILED) ? index.detail(source.id) : {};
      const part = { session, updated: updatedOf(session), texts: new SourceTexts(packed) };
      addCandidates(task, { ...part, threads, last_seq }, of, found);
      if (found.size > MOST_CANDIDATES) return undefined;
    }
  }
  return found;
}

/** Returns the maximum share of query terms for each group of texts; 0 if no text can match. */
function coverageByGroup(
  { parsed: { root, terms } }: SearchTask,
  groups: ReadonlyMap<Term, Uint8Array>,
  count: number,
): Float64Array {
  let group = 0;
  const may = (term: Term): boolean => groups.get(term)?.[group] !== 0;
  const coverages = new Float64Array(count);
  for (; group < count; group++) {
    if (mayFit(root, may)) coverages[group] = terms.filter(may).length / terms.length;
  }
  return coverages;
}

/** Adds the candidates of one source. There may be very many, so this must be fast. */
function addCandidates(
  task: SearchTask,
  part: CandidatePart & { last_seq: number },
  coverages: Float64Array,
  found: CandidateSet,
): void {
  const { updated, last_seq, texts } = part;
  found.begin(part);
  for (let index = 0; index < texts.count; index++) {
    const coverage = coverages[texts.get(index, TEXT.GROUP)] ?? 0;
    if (coverage === 0) continue;
    // Parts hold the main thread; other threads are indexed as a whole.
    if (texts.get(index, TEXT.SEQ) > last_seq && texts.get(index, TEXT.THREAD) === 0) continue;
    const [role, time] = [texts.role(index), texts.get(index, TEXT.TIME)];
    if (!isAskedFor(task, role, time)) continue;
    if (task.sort === "time") {
      found.add(index, sortTime({ time, updated }));
      continue;
    }
    // Only reading tells if the match is a whole word.
    const facts = { updated, role, size: texts.get(index, TEXT.SIZE), coverage, whole: 1 };
    found.add(index, scoreOf(facts, task.now));
  }
}
