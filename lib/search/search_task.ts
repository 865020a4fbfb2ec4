/** The request of a search in a form that a worker takes, and its result. Pure. */
import type { AgentName } from "../event/agent_name.ts";
import type { Integrity, LogEvent } from "../event/envelope.ts";
import type { AgentSession } from "../source/agent.ts";
import type { SessionState } from "../library/catalogue/session_state.ts";
import { sessionRef } from "../source/session_name.ts";
import { MAIN_THREAD } from "../source/session_thread.ts";
import { makePrefilter, type Prefilter } from "./prefilter/prefilter.ts";
import { parseQuery, parseRegex, type Query } from "./query.ts";
import { matchPieces, type TextRange } from "./query_match.ts";
import { bestHit, type Ranked, scoreOf, type SearchSort, type TopHits } from "./rank.ts";
import { searchableTexts, type SearchRole } from "./searchable_text.ts";
import { makeSnippet } from "./snippet.ts";

/** The query and its filters. */
export interface SearchRequest {
  /** The query as `parseQuery` takes it, or with `regex` as `parseRegex` does. */
  query: string;
  /** True if the query is a regular expression. */
  regex: boolean;
  /** Only what these said or did; absent for all. */
  roles?: readonly SearchRole[];
  /** Only what has a time, and one not before this: milliseconds since 1970. */
  since?: number;
  /** The time from which age is counted: milliseconds since 1970. */
  now: number;
  /** The order of the hits. */
  sort: SearchSort;
  /** Maximum number of hits. */
  limit: number;
  /** Count all hits: no session is left unread. @default {false} */
  count_all?: boolean;
}

/** A place where what was looked for stands: a text of one role in one event. */
export interface SearchHit extends Ranked {
  /** The agent that keeps the session. */
  agent: AgentName;
  /** The id by which that agent knows it. */
  session_id: string;
  /** The path of the log, the database or the folder's main file. */
  path: string;
  /** The id of the thread that it stands in; absent in the main one. */
  thread?: string;
  /** The integrity of the event that holds it. */
  integrity: Integrity;
  /** The text around the first match, on one line. */
  snippet: string;
  /** The matches in the snippet. */
  ranges: TextRange[];
}

/** A request that was understood. */
export interface SearchTask extends SearchRequest {
  readonly parsed: Query;
  /** Undefined where bytes do not tell. */
  readonly prefilter: Prefilter | undefined;
}

/**
 * Reads a request.
 *
 * @throws {SyntaxError} That says what is wrong with the query.
 */
export function toTask(request: SearchRequest): SearchTask {
  const parsed = request.regex ? parseRegex(request.query) : parseQuery(request.query);
  return { ...request, parsed, prefilter: makePrefilter(parsed) };
}

/** True if a text of this role and time is asked for at all. */
export function isAskedFor(
  { roles, since }: Pick<SearchRequest, "roles" | "since">,
  role: SearchRole,
  time: number,
): boolean {
  return (roles?.includes(role) ?? true) && (since === undefined || time >= since);
}

/** A session to search. */
export interface SearchedSession {
  /** The session, as it was located. */
  session: AgentSession;
  /** The time of its last update: milliseconds since 1970; NaN where nothing tells. */
  updated: number;
}

/** A session to search, and the state in which it was located just now. */
export interface SearchedEntry extends SearchedSession {
  /** The state of its files. @default {they are looked at} */
  state?: SessionState | undefined;
}

/** Where an event stands. */
export interface SearchedThread extends SearchedSession {
  /** @default {the main one} */
  thread?: string;
}

/** Looks at an event: offers the hits in it. */
export function searchEvent(
  task: SearchTask,
  { session, updated, thread = MAIN_THREAD }: SearchedThread,
  event: LogEvent,
  top: TopHits<SearchHit>,
): void {
  for (const { role, pieces } of searchableTexts(event)) {
    const time = Date.parse(event.time ?? "");
    if (!isAskedFor(task, role, time)) continue;
    const match = matchPieces(task.parsed, pieces);
    if (match === undefined) continue;
    const { coverage, whole } = match;
    const score = scoreOf({ updated, role, size: sizeOf(pieces), coverage, whole }, task.now);
    const { agent, id: session_id, path } = session;
    const named = thread === MAIN_THREAD ? {} : { thread };
    const place = { ref: sessionRef(session), seq: event.seq, ...named };
    const ranked = { ...place, role, time, updated, score };
    top.offer(ranked, () => {
      const { text, ranges } = makeSnippet(task.parsed, match);
      const { integrity } = event;
      return { ...ranked, agent, session_id, path, integrity, snippet: text, ranges };
    });
  }
}

/** A hit that no hit of a session comes before. */
export function bestHitOf(
  { roles, now }: SearchTask,
  { session, updated }: SearchedSession,
  may_be_whole = true,
): Ranked {
  return bestHit({ ref: sessionRef(session), updated, roles, may_be_whole }, now);
}

/** Characters of a text. */
export function sizeOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
