/** The request of a search in a form that a worker takes, and its result. Pure. */
import type { AgentName } from "../../core/event/agent_name.ts";
import type { Integrity, LogEvent } from "../../core/event/envelope.ts";
import type { SessionState } from "../catalogue/session_state.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { callOf, type HitCall } from "./hit_call.ts";
import { makePrefilter, type Prefilter } from "./prefilter/prefilter.ts";
import { parseQuery, parseRegex, type Query } from "./query.ts";
import { type Match, matchPieces, type TextRange } from "./query_match.ts";
import { bestHit, type Ranked, scoreOf, type TopHits } from "./rank.ts";
import { searchableTexts, type SearchRole } from "./searchable_text.ts";

/** The query and its filters. */
export interface SearchRequest {
  /**
   * The words to search for. A text matches if it contains all words, in upper or lower case, also
   * within longer words. `"a phrase"` is one term, and `word*` matches only at the start of a word.
   * `OR`, `NOT` or `-`, and parentheses combine terms. To search for a person's raw text, replace
   * its quotation marks by spaces, and put the whole in quotation marks. With `regex`, the query is
   * `expression` or `/expression/flags`.
   */
  query: string;
  /**
   * True if the query is a regular expression. An expression that needs too long is stopped after
   * 30 seconds. Deno (2.7.11) cannot end the expression's thread, which is busy until the process
   * ends.
   */
  regex: boolean;
  /** The roles of the texts to search; absent to search all. */
  roles?: readonly SearchRole[];
  /** The tool whose calls and outcomes are searched. @default {any} */
  tool?: string;
  /** The file that the searched calls must name. @default {any} */
  file?: string;
  /** Earliest time in milliseconds since 1970. If given, texts without a time are left out. */
  since?: number;
  /** Latest time in milliseconds since 1970. If given, texts without a time are left out. */
  until?: number;
  /** The current time in milliseconds since 1970, from which the age of texts is computed. */
  now: number;
  /** The order of the hits: the best first, or the newest first. */
  sort: "relevance" | "time";
  /** Maximum number of hits to return. */
  limit: number;
  /** True to count all hits, for which every session is read. @default {false} */
  count_all?: boolean;
  /** True to keep only the best hit of each session, with the number of its hits. @default {false} */
  by_session?: boolean;
  /** Maximum number of characters of a snippet. @default {48 before the match, 120 after it} */
  snippet_size?: number;
}

/** A text of one role in one event that matches the query. */
export interface SearchHit extends Ranked {
  /** The agent whose session contains the hit. */
  agent: AgentName;
  /** The id of the session, as its agent names it. */
  session_id: string;
  /** The path of the session's log, of its database, or of the main file in its folder. */
  path: string;
  /** The id of the hit's thread; absent if the hit is in the main thread. */
  thread?: string;
  /** The called tool, if the hit is in a tool call and the event names the tool; else absent. */
  tool?: string;
  /** The file that the call names; absent if the hit is in no call or the call names no file. */
  file?: string;
  /** The extent to which the bytes of the hit's event can be trusted. */
  integrity: Integrity;
  /** The text around the first match, on one line: white space collapsed, without colours. */
  snippet: string;
  /** The ranges of the matches in the snippet. */
  ranges: TextRange[];
}

export interface SearchTask extends SearchRequest {
  readonly parsed: Query;
  /** Test on bytes that excludes texts without a match; undefined if no such test is possible. */
  readonly prefilter: Prefilter | undefined;
}

/** Parses a request. @throws {SyntaxError} With the fault in the query. */
export function toTask(request: SearchRequest): SearchTask {
  const parsed = request.regex ? parseRegex(request.query) : parseQuery(request.query);
  return { ...request, parsed, prefilter: makePrefilter(parsed) };
}

export function isAskedFor(
  { roles, since, until }: Pick<SearchRequest, "roles" | "since" | "until">,
  role: SearchRole,
  time: number,
): boolean {
  return (roles?.includes(role) ?? true) && (since === undefined || time >= since) &&
    (until === undefined || time <= until);
}

function isCallAskedFor({ tool, file }: SearchTask, call: HitCall): boolean {
  return (tool === undefined || call.tool === tool) && (file === undefined || call.file === file);
}

/** A session, and the time of its last update, by which its hits are ranked. */
export interface SearchedSession {
  /** The session to search, by its agent, id and path. */
  session: AgentSession;
  /** Time of the last update: milliseconds since 1970; NaN if unknown. */
  updated: number;
}

export interface SearchedEntry extends SearchedSession {
  /** The state of the session's files. @default {inspected anew} */
  state?: SessionState | undefined;
}

export interface SearchedThread extends SearchedSession {
  /** The id of the thread. @default {the main thread} */
  thread?: string;
}

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
    const call = role === "tool" ? callOf(event, match.piece) : {};
    if (!isCallAskedFor(task, call)) continue;
    const { coverage, whole } = match;
    const score = scoreOf({ updated, role, size: sizeOf(pieces), coverage, whole }, task.now);
    const { agent, id: session_id, path } = session;
    const named = thread === MAIN_THREAD ? {} : { thread };
    const place = { ref: sessionRef(session), seq: event.seq, ...named };
    const ranked = { ...place, role, time, updated, score };
    top.offer(ranked, () => {
      const { text, ranges } = makeSnippet(task.parsed, match, task.snippet_size);
      const { integrity } = event;
      return { ...ranked, ...call, agent, session_id, path, integrity, snippet: text, ranges };
    });
  }
}

export function bestHitOf(
  { roles, now }: SearchTask,
  { session, updated }: SearchedSession,
  may_be_whole = true,
): Ranked {
  return bestHit({ ref: sessionRef(session), updated, roles, may_be_whole }, now);
}

export function sizeOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

interface Snippet {
  text: string;
  /** The ranges of the matches in `text`, in ascending order, without overlap. */
  ranges: TextRange[];
}

const BEFORE = 48;
const AFTER = 120;
const LONGEST_MATCH = 160;
const ELLIPSIS = "…";

export function makeSnippet({ terms }: Query, match: Match, size?: number): Snippet {
  return snippetAround(match, (text) => {
    const ranges: TextRange[] = [];
    for (const { pattern } of terms) addRanges(text, pattern, ranges);
    return ranges;
  }, size);
}

/**
 * Makes the snippet of a match. Any white space becomes one space; colours are left out.
 *
 * @param rangesIn Returns what to mark in the snippet.
 */
export function snippetAround(
  { piece, range: [start, end] }: Pick<Match, "piece" | "range">,
  rangesIn: (text: string) => readonly TextRange[],
  size?: number,
): Snippet {
  const stop = Math.min(end, start + Math.min(LONGEST_MATCH, size ?? Infinity));
  const room = size === undefined ? BEFORE + AFTER : Math.max(0, size - (stop - start) - 2);
  const usual = Math.floor(room * BEFORE / (BEFORE + AFTER));
  // Of a given size, what the text after the match leaves is for the text before it.
  const most_before = size === undefined ? usual : Math.max(usual, room - (piece.length - stop));
  const cut = Math.max(0, start - most_before);
  const [open = ""] = OPEN_ESCAPE.exec(piece.slice(Math.max(0, cut - LONGEST_ESCAPE), cut)) ?? [];
  const from = cut - open.length;
  // The same the other way round.
  const used = size === undefined ? most_before : start - cut;
  const to = Math.min(piece.length, stop + room - used);
  // A cut may leave half a character.
  const part = (a: number, b: number): string => onOneLine(piece.slice(a, b).toWellFormed());
  const before = (from > 0 ? ELLIPSIS : "") + part(from, start).replace(/^ /, "");
  const match = part(start, stop);
  const text = before + match + part(stop, to).replace(/ $/, "") +
    (to < piece.length ? ELLIPSIS : "");
  const ranges: TextRange[] = [[before.length, before.length + match.length], ...rangesIn(text)];
  return { text, ranges: merged(ranges.filter(([a, b]) => b > a)) };
}

/** Matches escape sequences for colours, also a sequence that the end of the text cuts off. */
// deno-lint-ignore no-control-regex
const ESCAPES = /\x1b(?:\[[\d;:?]*(?:[A-Za-z]|$)|$)/g;
// deno-lint-ignore no-control-regex
const OPEN_ESCAPE = /\x1b\[?[\d;:?]*$/;
const LONGEST_ESCAPE = 24;

function onOneLine(text: string): string {
  return text.replace(ESCAPES, "").replace(/\s+/gu, " ");
}

function addRanges(text: string, pattern: RegExp, ranges: TextRange[]): void {
  // The expression keeps the end of the last search.
  pattern.lastIndex = 0;
  for (const found of text.matchAll(pattern)) {
    if (found[0] !== "") ranges.push([found.index, found.index + found[0].length]);
  }
}

function merged(ranges: TextRange[]): TextRange[] {
  const result: [number, number][] = [];
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
