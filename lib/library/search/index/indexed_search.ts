/**
 * Searches by the index. The index only tells where hits may be. Every hit is read again in its
 * session and verified.
 */
import { REPRISE } from "../../../core/event/agent_name.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { nextTurn } from "../../../core/log/next_turn.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import type { Standing } from "../prefilter/byte_phrase.ts";
import type { Prefilter } from "../prefilter/prefilter.ts";
import { TopHits, WHOLE_WEIGHT } from "../rank.ts";
import { standingIn, type StandingOptions } from "../scan/scan_session.ts";
import { NO_RESULT, type ScanItem, type ScanResult } from "../scan/scan_sources.ts";
import {
  type SearchedEntry,
  searchEvent,
  type SearchHit,
  type SearchTask,
} from "../search_task.ts";
import { eventsOf } from "./candidate_events.ts";
import type { CandidateSet, IndexCandidate } from "./candidate_set.ts";
import { indexCandidates } from "./index_candidates.ts";
import { restOf, withCurrentIndex } from "./current_index.ts";

interface IndexedResult {
  result: ScanResult;
  /** Number of candidates that were not read. Their matches, if any, rank after the hits. */
  unverified: number;
  /** The sessions to scan, because the index does not cover them. */
  rest: readonly ScanItem[];
}

/** Returns undefined if the folder `cache` has no usable index. */
export async function searchIndexed(
  cache: string,
  task: SearchTask,
  entries: readonly SearchedEntry[],
  signal: AbortSignal | undefined,
): Promise<IndexedResult | undefined> {
  const updates = new Map(entries.map(({ session, updated }) => [session, updated]));
  const updatedOf = (session: AgentSession): number => updates.get(session) ?? NaN;
  const distrusted = new Set<string>();
  for (;;) {
    const found = await withCurrentIndex(cache, entries, (index, known) => {
      const trusted = known.filter(({ session }) => !distrusted.has(sessionRef(session)));
      return { known, candidates: indexCandidates(task, index, trusted, updatedOf) };
    });
    if (found?.candidates === undefined) return undefined;
    const verified = await verify(task, found.candidates, signal);
    if (verified.changed === undefined) {
      const { result, unverified } = verified;
      return { result, unverified, rest: restOf(found.known, distrusted, updatedOf) };
    }
    // It changed during the search. It is scanned, and the others are searched again.
    distrusted.add(verified.changed);
  }
}

/** Number of candidates up to which all are read, so that the total is exact. */
const FEW = 2000;

interface Verified {
  result: ScanResult;
  unverified: number;
  /** The reference of a session that differs from the index; absent if none does. */
  changed?: string;
}

/** Reads candidates, the best first. Stops once the remaining ones rank below the found hits. */
async function verify(
  task: SearchTask,
  candidates: CandidateSet,
  signal: AbortSignal | undefined,
): Promise<Verified> {
  const top = new TopHits<SearchHit>(task);
  const all = task.count_all === true || candidates.size <= FEW;
  let is_sifted = false;
  for (let count = task.limit + SPARE; candidates.size > 0; count *= 4) {
    const changed = await readCandidates(task, candidates.takeFirst(count), top, signal);
    if (changed !== undefined) return { result: NO_RESULT, unverified: 0, changed };
    const worst = top.hits[task.limit - 1];
    if (!all && worst !== undefined && candidates.isBehind(worst)) break;
    if (!is_sifted) await sift(task, candidates, signal);
    is_sifted = true;
    if (!all && worst !== undefined && candidates.isBehind(worst)) break;
  }
  const result = { ...NO_RESULT, hits: top.hits, total: top.total };
  return { result, unverified: candidates.size };
}

/** Number of candidates read beyond the limit, because some candidates do not match. */
const SPARE = 12;

/**
 * Searches the files of the candidates' sessions. Drops sessions without a match. Lowers the rank
 * of sessions with matches only within words.
 */
async function sift(
  { prefilter, sort }: SearchTask,
  candidates: CandidateSet,
  signal: AbortSignal | undefined,
): Promise<void> {
  const whole = sort === "relevance";
  const standings = new Map<AgentSession, Standing>();
  for (const session of candidates.sessions) {
    standings.set(session, await standingNow(prefilter, session, { whole, signal }));
  }
  candidates.drop((session) => standings.get(session) === "none");
  // A little less than the weight, because values may be rounded.
  const by = WHOLE_WEIGHT - 1e-9;
  if (whole) candidates.lower((session) => standings.get(session) === "part", by);
}

/** True if a session's bytes rule out a match. False for Reprise logs, checked by line instead. */
async function isWithout(
  prefilter: Prefilter,
  session: AgentSession,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (session.agent === REPRISE) return false;
  return await standingNow(prefilter, session, { whole: false, signal }) === "none";
}

/**
 * Returns the possible kind of match in a session's files. Returns `whole` if they cannot be read.
 * The error is then reported when the session is read.
 */
async function standingNow(
  prefilter: Prefilter | undefined,
  session: AgentSession,
  options: StandingOptions,
): Promise<Standing> {
  try {
    return await standingIn(prefilter, session, options);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return "whole";
  }
}

/** Adds candidates that match to `top`. Returns a session that differs from the index, if any. */
async function readCandidates(
  task: SearchTask,
  candidates: readonly IndexCandidate[],
  top: TopHits<SearchHit>,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  for (const [session, some] of Map.groupBy(candidates, ({ session }) => session)) {
    const updated = some[0]?.updated ?? NaN;
    if (signal !== undefined) await nextTurn();
    signal?.throwIfAborted();
    const { prefilter } = task;
    // The index finds single words; bytes tell more of phrases and of several words.
    if (prefilter?.is_composed && await isWithout(prefilter, session, signal)) continue;
    for (const [thread, ofThread] of Map.groupBy(some, ({ thread }) => thread)) {
      const events = await eventsOf(session, thread, ofThread);
      if (events === undefined) return sessionRef(session);
      const roles = Map.groupBy(ofThread, ({ seq }) => seq);
      for (const event of events) {
        // Another role of the same event is another candidate.
        const asked = roles.get(event.seq)?.map(({ role }) => role) ?? [];
        searchEvent({ ...task, roles: asked }, { session, updated, thread }, event, top);
      }
    }
  }
  return undefined;
}
