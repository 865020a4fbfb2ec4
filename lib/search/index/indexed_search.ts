/**
 * The part of a search that an index answers. It only says where to look: whatever is shown was read
 * again in the session itself, and fits.
 */
import { REPRISE } from "../../event/agent_name.ts";
import type { LogEvent } from "../../event/envelope.ts";
import { SessionError } from "../../event/session_error.ts";
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
import type { ScanItem, ScanResult } from "../scan/scan_sources.ts";
import {
  type SearchedEntry,
  searchEvent,
  type SearchHit,
  type SearchTask,
} from "../search_task.ts";
import { SEARCHED_KINDS } from "../searchable_text.ts";
import type { CandidateSet, IndexCandidate } from "./candidate_set.ts";
import { indexCandidates } from "./index_candidates.ts";
import { type KnownSession, knownSessions, openSegments, type SeenStates } from "./index_state.ts";
import { updateIndex } from "./index_update.ts";
import { fileSize, readAt } from "./source_stamp.ts";

/** What an index told, and what it does not know. */
export interface IndexedResult {
  result: ScanResult;
  /** Candidates that were not read: hits, some of them, that come after those found. */
  unverified: number;
  /** What is left to scan. */
  rest: readonly ScanItem[];
}

/** So much is indexed before a search; more is scanned sooner. */
const CHEAP_BYTES = 4e6;

/** Asks the index of a cache folder; undefined where there is none that can be used. */
export async function searchIndexed(
  cache: string,
  task: SearchTask,
  entries: readonly SearchedEntry[],
  signal: AbortSignal | undefined,
): Promise<IndexedResult | undefined> {
  const sessions = entries.map(({ session }) => session);
  const seen = new Map(entries.flatMap(({ session, state }) => state ? [[session, state]] : []));
  const updates = new Map(entries.map(({ session, updated }) => [session, updated]));
  const updatedOf = (session: AgentSession): number => updates.get(session) ?? NaN;
  const known = await currentSessions(cache, sessions, seen);
  if (known === undefined) return undefined;
  const distrusted = new Set<string>();
  for (;;) {
    const trusted = distrusted.size === 0
      ? known
      : known.filter(({ session }) => !distrusted.has(sessionRef(session)));
    const candidates = indexCandidates(task, trusted, updatedOf);
    if (candidates === undefined) return undefined;
    const verified = await verify(task, candidates, signal);
    if (verified.changed === undefined) {
      const { result, unverified } = verified;
      const rest = known.flatMap((one) => restOf(one, distrusted))
        .map((item) => ({ ...item, updated: updatedOf(item.session) }));
      return { result, unverified, rest };
    }
    // It changed while it was searched: it is scanned, and the others are asked again.
    distrusted.add(verified.changed);
  }
}

/** What the index knows, once what is cheap to add was added. */
async function currentSessions(
  cache: string,
  sessions: readonly AgentSession[],
  seen: SeenStates | undefined,
): Promise<KnownSession[] | undefined> {
  const known = openedSessions(cache, sessions, seen);
  const missing = known?.filter(({ settled }) => !settled) ?? [];
  const bytes = missing.reduce((sum, { missing_bytes }) => sum + missing_bytes, 0);
  if (missing.length === 0 || bytes > CHEAP_BYTES) return known;
  try {
    await updateIndex(cache, missing.map(({ session }) => session));
  } catch (error) {
    // The disk is full, or nothing may be written there: what is missing is scanned.
    if (!(error instanceof SessionError)) throw error;
  }
  return openedSessions(cache, sessions);
}

function openedSessions(
  cache: string,
  sessions: readonly AgentSession[],
  seen?: SeenStates,
): KnownSession[] | undefined {
  const segments = openSegments(cache);
  if (segments === undefined || segments === "damaged") return undefined;
  return knownSessions(segments, sessions, seen);
}

function restOf(
  { session, from, missing_bytes }: KnownSession,
  distrusted: ReadonlySet<string>,
): Omit<ScanItem, "updated">[] {
  if (distrusted.size > 0 && distrusted.has(sessionRef(session))) {
    return [{ session, bytes: fileSize(session.path) ?? 0 }];
  }
  if (from === undefined) return [];
  return [{ session, bytes: from === 0 ? fileSize(session.path) ?? 0 : missing_bytes, from }];
}

/** So many candidates are all read, for an exact total. */
const FEW = 2000;

interface Verified {
  result: ScanResult;
  unverified: number;
  /** A session that is not as the index knows it. */
  changed?: string;
}

/** Reads candidates, the most promising first, until no other can come before those that fit. */
async function verify(
  task: SearchTask,
  candidates: CandidateSet,
  signal: AbortSignal | undefined,
): Promise<Verified> {
  const top = new TopHits<SearchHit>(task.sort, task.limit);
  const all = task.count_all === true || candidates.size <= FEW;
  let is_sifted = false;
  for (let count = task.limit + SPARE; candidates.size > 0; count *= 4) {
    const changed = await readCandidates(task, candidates.takeFirst(count), top, signal);
    if (changed !== undefined) return { ...NOTHING, changed };
    const worst = top.hits[task.limit - 1];
    if (!all && worst !== undefined && candidates.isBehind(worst)) break;
    if (!is_sifted) await sift(task, candidates, signal);
    is_sifted = true;
    if (!all && worst !== undefined && candidates.isBehind(worst)) break;
  }
  const result = {
    hits: top.hits,
    total: top.total,
    stopped: false,
    scanned_bytes: 0,
    unread: [],
    counted: [],
  };
  return { result, unverified: candidates.size };
}

const NOTHING: Verified = {
  result: { hits: [], total: 0, stopped: false, scanned_bytes: 0, unread: [], counted: [] },
  unverified: 0,
};
/** Some candidates do not fit. */
const SPARE = 12;

/**
 * Looks at the bytes of the sessions that have candidates left. Those that cannot have what is looked
 * for are dropped; those that have parts of words alone come later.
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
  // A little less than all of it: what is left may be rounded.
  const by = WHOLE_WEIGHT - 1e-9;
  if (whole) candidates.lower((session) => standings.get(session) === "part", by);
}

/** True if bytes tell that a session has nothing of what is looked for, unless its log is asked line by line. */
async function isWithout(
  prefilter: Prefilter,
  session: AgentSession,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (session.agent === REPRISE) return false;
  return await standingNow(prefilter, session, { whole: false, signal }) === "none";
}

/** How what is looked for may stand in a session; `whole` where its files are gone: reading tells. */
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

/** Offers those that fit; gives a session that is not as the index knows it, if there is one. */
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
    // The index tells of single words; of phrases and of several words bytes tell more.
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

/** The events of some candidates of a thread; undefined where it is not as the index knows it. */
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
  const options = { needs: SEARCHED_KINDS, ...(thread === MAIN_THREAD ? {} : { thread }) };
  try {
    for await (const events of reader.read(options)) {
      for (const event of events) if (seqs.has(event.seq)) found.push(event);
    }
  } catch (error) {
    // The scan says why.
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
