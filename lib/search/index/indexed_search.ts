/**
 * Searches by the index. It only finds places: every hit is read again in its session and verified.
 */
import { present } from "../../event/present.ts";
import { REPRISE } from "../../event/agent_name.ts";
import type { LogEvent } from "../../event/envelope.ts";
import { SessionError } from "../../event/session_error.ts";
import { openIndex } from "../../library/cache/search_database.ts";
import { openReader } from "../../library/registry.ts";
import { type ChecksumHistory, checksumHistory } from "../../log/checksum_history.ts";
import { nextTurn } from "../../log/next_turn.ts";
import type { AgentSession } from "../../source/agent.ts";
import { sessionRef } from "../../source/session_name.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import type { Standing } from "../prefilter/byte_phrase.ts";
import type { Prefilter } from "../prefilter/prefilter.ts";
import { TopHits, WHOLE_WEIGHT } from "../rank.ts";
import { eventOf, standingIn, type StandingOptions } from "../scan/scan_session.ts";
import { NO_RESULT, type ScanItem, type ScanResult } from "../scan/scan_sources.ts";
import {
  type SearchedEntry,
  searchEvent,
  type SearchHit,
  type SearchTask,
} from "../search_task.ts";
import { SEARCHED_KINDS } from "../searchable_text.ts";
import type { CandidateSet, IndexCandidate } from "./candidate_set.ts";
import { indexCandidates } from "./index_candidates.ts";
import { IndexReader, UnusableIndex } from "./index_reader.ts";
import { type KnownSession, knownSessions, type SeenStates } from "./index_state.ts";
import { updateIndex } from "./index_update.ts";
import { fileSize, readAt } from "./source_stamp.ts";

/** The result of an indexed search, and the sessions that the index lacks. */
interface IndexedResult {
  result: ScanResult;
  /** Number of candidates that were not read. Those among them that match follow the hits. */
  unverified: number;
  /** Sessions left to scan. */
  rest: readonly ScanItem[];
}

/** Most bytes to index before a search; scanning more bytes is faster. */
const CHEAP_BYTES = 4e6;

/** Searches the index in a cache folder; undefined without a usable index. */
export async function searchIndexed(
  cache: string,
  task: SearchTask,
  entries: readonly SearchedEntry[],
  signal: AbortSignal | undefined,
): Promise<IndexedResult | undefined> {
  const sessions = entries.map(({ session }) => session);
  const updates = new Map(entries.map(({ session, updated }) => [session, updated]));
  const updatedOf = (session: AgentSession): number => updates.get(session) ?? NaN;
  let seen: SeenStates = new Map(
    entries.flatMap(({ session, state }) => state ? [[session, state]] : []),
  );
  const distrusted = new Set<string>();
  for (let is_updated = false;;) {
    const found = withIndex(cache, (index) => {
      const known = knownSessions(index, sessions, seen);
      const missing = is_updated ? [] : missingFew(known);
      if (missing.length > 0) return { known, missing };
      const trusted = known.filter(({ session }) => !distrusted.has(sessionRef(session)));
      return { known, missing, candidates: indexCandidates(task, index, trusted, updatedOf) };
    });
    if (found !== undefined && found.missing.length > 0) {
      await updateQuietly(cache, found.missing);
      is_updated = true;
      seen = new Map();
      continue;
    }
    if (found?.candidates === undefined) return undefined;
    const verified = await verify(task, found.candidates, signal);
    if (verified.changed === undefined) {
      const { result, unverified } = verified;
      const rest = found.known.flatMap((one) => restOf(one, distrusted))
        .map((item) => ({ ...item, updated: updatedOf(item.session) }));
      return { result, unverified, rest };
    }
    // It changed during the search. It is scanned, and the others are searched again.
    distrusted.add(verified.changed);
  }
}

/** Does some work with the index as it is at one moment; undefined without a usable index. */
function withIndex<Result>(
  cache: string,
  work: (index: IndexReader) => Result,
): Result | undefined {
  using database = openIndex(cache);
  try {
    database?.exec("BEGIN");
    return database && work(new IndexReader(database));
  } catch (error) {
    if (error instanceof UnusableIndex) return undefined;
    throw error;
  }
}

/** Returns the sessions that the index lacks, if they are cheap to index. */
function missingFew(known: readonly KnownSession[]): AgentSession[] {
  const missing = known.filter(({ settled }) => !settled);
  const bytes = missing.reduce((sum, { missing_bytes }) => sum + missing_bytes, 0);
  return bytes > CHEAP_BYTES ? [] : missing.map(({ session }) => session);
}

/** Indexes sessions. If the disk is full or the folder not writable, they are scanned. */
async function updateQuietly(cache: string, sessions: readonly AgentSession[]): Promise<void> {
  try {
    await updateIndex(cache, sessions);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
  }
}

function restOf(
  { session, from, missing_bytes }: KnownSession,
  distrusted: ReadonlySet<string>,
): Omit<ScanItem, "updated">[] {
  if (distrusted.size > 0 && distrusted.has(sessionRef(session))) {
    return [{ session, bytes: fileSize(session.path) }];
  }
  if (from === undefined) return [];
  return [{ session, bytes: from === 0 ? fileSize(session.path) : missing_bytes, from }];
}

/** Most candidates that are all read, for an exact total. */
const FEW = 2000;

interface Verified {
  result: ScanResult;
  unverified: number;
  /** A session that differs from the index. */
  changed?: string;
}

/** Reads candidates, the most promising first, until no other can precede the hits. */
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

/** Additional candidates, because some do not match. */
const SPARE = 12;

/**
 * Searches the bytes of the candidates' sessions. Sessions without a match are dropped; those with
 * parts of words come later.
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

/** True if bytes rule out a match in a session. Reprise logs are checked line by line instead. */
async function isWithout(
  prefilter: Prefilter,
  session: AgentSession,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (session.agent === REPRISE) return false;
  return await standingNow(prefilter, session, { whole: false, signal }) === "none";
}

/**
 * Returns how a match may stand in a session; `whole` if its files are gone, because reading
 * reports that.
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

/** Offers matching candidates. Returns a session that differs from the index, if any. */
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

/**
 * Returns the events of some candidates in a thread; undefined if the session differs from the
 * index.
 */
async function eventsOf(
  session: AgentSession,
  thread: string,
  candidates: readonly IndexCandidate[],
): Promise<LogEvent[] | undefined> {
  const reader = await openReader(session);
  const log = reader.log?.path;
  if (log !== undefined) {
    const places = new Map(candidates.map((candidate) => [candidate.seq, candidate]));
    const history = checksumHistory(log);
    const events = [...places.values()].map((place) => eventAt(log, place, history));
    return events.every((event) => event !== undefined) ? events : undefined;
  }
  const seqs = new Set(candidates.map(({ seq }) => seq));
  const found: LogEvent[] = [];
  const other = thread === MAIN_THREAD ? undefined : thread;
  const options = present({ needs: SEARCHED_KINDS, thread: other });
  try {
    for await (const events of reader.read(options)) {
      for (const event of events) if (seqs.has(event.seq)) found.push(event);
    }
  } catch (error) {
    // The scan reports the reason.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
  return found.length === seqs.size ? found : undefined;
}

const LF = 0x0a;

function eventAt(
  path: string,
  { seq, offset, length }: IndexCandidate,
  history: ChecksumHistory,
): LogEvent | undefined {
  const line = readAt(path, offset, length);
  if (line === undefined || line[length - 1] !== LF) return undefined;
  const event = eventOf(line.subarray(0, length - 1), { offset, length }, history);
  return typeof event === "object" && event.seq === seq ? event : undefined;
}
