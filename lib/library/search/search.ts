/**
 * Searches sessions: indexed parts by the index, all other parts by a scan.
 *
 * @module
 */
import { REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import { keepReads } from "../counts/keep_counts.ts";
import { findBranches } from "../../core/store/log_branches.ts";
import { type LogThread, threadAt, threadsIn } from "../../core/store/log_threads.ts";
import type { Marks } from "../../core/store/marks.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { searchIndexed } from "./index/indexed_search.ts";
import { fileSize, modifiedAt } from "./index/source_stamp.ts";
import { markedTexts, searchMarked } from "./marked_texts.ts";
import { mergeResults, scan, type ScanOptions } from "./scan/scan.ts";
import { TopHits } from "./rank.ts";
import { NO_RESULT, type ScanItem, type ScanResult } from "./scan/scan_sources.ts";
import {
  type SearchedEntry,
  type SearchedSession,
  type SearchHit,
  type SearchRequest,
  type SearchTask,
  toTask,
} from "./search_task.ts";

/** The index and the stored counts of a search, and the settings of its scan. */
export interface SearchOptions extends ScanOptions {
  /**
   * The cache folder with the index, such as `library.cache`. `updateIndex` builds the index. A
   * search adds new events to an index if they are few, and scans all other events.
   *
   * @default {none: all is scanned}
   */
  cache?: string | undefined;
  /** The catalogue in which counts of sessions are stored. @default {counts are not stored} */
  kept?: CatalogueOptions;
  /**
   * Titles, tags and notes to search, too, as `library.marks`. @default {none}
   *
   * @internal
   */
  marks?: Marks;
  /** Called before the scan with the number of bytes to scan. */
  onScan?: (bytes: number) => void;
}

/** The first hits of a search, and how many hits there are. */
export interface SearchResult {
  /** The first hits in the order that was asked for. */
  hits: readonly SearchHit[];
  /** Number of all hits; if `estimated`, there may be more. */
  total: number;
  /**
   * Maximum number of hits, including texts that the index cannot rule out. `Infinity` if sessions
   * were left unread, because the time ended or their hits would rank too low.
   */
  possible: number;
  /** True if the number of all hits is only known to be between `total` and `possible`. */
  estimated: boolean;
  /** The sessions that could not be read, with the reasons. */
  unread: readonly { ref: string; message: string }[];
  /** Number of bytes of the sessions that were scanned because no index had them. */
  scanned_bytes: number;
  /** Number of sessions that were searched before the time ended; absent if all were searched. */
  searched_in_time?: number;
}

/** Checks a query. @throws {SyntaxError} With the fault in the query. */
export function assertQuery(request: Pick<SearchRequest, "query"> & Partial<SearchRequest>): void {
  toTask({ regex: false, sort: "relevance", limit: 1, now: 0, ...request });
}

/**
 * Searches sessions, the newest first, until no other session can have one of the first hits. The
 * first hits are the same with an index and without one; an estimated total is not. The times of
 * files tell which sessions are new.
 *
 * @param sessions The sessions to search.
 * @param request The query and its filters.
 * @param options Index and progress.
 * @returns The first hits, and how many there are.
 * @throws {SyntaxError} With the fault in the query.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { searchSessions } from "@reprise/reprise/search";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const session = openStore({ root }).create({ cwd: root });
 * await session.append({ kind: "user_message", payload: { content: "Where is parseRef tested?" } });
 * await session.finish();
 *
 * const request = { query: "parseref", now: Date.now() };
 * const library = openLibrary({ root, variable: () => undefined });
 * const { hits } = await searchSessions(await library.sessions(), request);
 * assert.deepEqual(hits.map(({ seq, role, ranges }) => ({ seq, role, ranges })), [
 *   { seq: 2, role: "user", ranges: [[9, 17]] },
 * ]);
 * await rm(root, { recursive: true });
 * ```
 */
export async function searchSessions(
  sessions: readonly AgentSession[],
  request: Pick<SearchRequest, "query" | "now"> & Partial<SearchRequest>,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const entries = sessions.map((session) => ({ session, updated: modifiedAt(session.path) }));
  return await searchEntries(entries, request, options);
}

/**
 * Searches sessions that a library located, as {@linkcode searchSessions} does. Sessions rank by
 * the time `updated` of their entries, not by the times of files.
 *
 * @param entries The sessions to search, as found by `Library.query`.
 * @throws {SyntaxError} With the fault in the query.
 */
export async function searchEntries(
  entries: readonly SearchedEntry[],
  request: Pick<SearchRequest, "query" | "now"> & Partial<SearchRequest>,
  { cache, kept = {}, marks, onScan, ...options }: SearchOptions = {},
): Promise<SearchResult> {
  const task = toTask({ regex: false, sort: "relevance", limit: 20, ...request });
  // No index helps an expression, and only threads of a scan are ended in time.
  const indexed = cache === undefined || task.regex
    ? undefined
    : await searchIndexed(cache, task, entries, options.signal);
  // An expression may need too long for a mark, too.
  const withMarks = marks !== undefined && task.regex
    ? (one: SearchedEntry): ScanItem => ({ ...toItem(one), marked: markedTexts(one, marks) })
    : toItem;
  const items: readonly ScanItem[] = indexed?.rest ?? entries.map(withMarks);
  onScan?.(items.reduce((sum, { bytes }) => sum + bytes, 0));
  const floor = indexed?.result.hits[task.limit - 1];
  const scanned = await scan(task, items, { ...options, floor });
  keepReads(kept, scanned.counted);
  const { stopped, scanned: searched_in_time, counted: _, ...merged } = mergeResults(
    task,
    [
      ...indexed === undefined ? [] : [indexed.result],
      scanned,
      ...marks === undefined || task.regex ? [] : [scanMarks(task, entries, marks)],
    ],
  );
  const is_late = scanned.is_late === true;
  const unverified = indexed?.unverified ?? 0;
  return {
    ...merged,
    hits: await withBranches(merged.hits),
    possible: stopped || is_late ? Infinity : merged.total + unverified,
    estimated: stopped || is_late || unverified > 0,
    ...(is_late ? { searched_in_time } : {}),
  };
}

export function toItem({ session, updated, state }: SearchedEntry): ScanItem {
  return { session, updated, bytes: state?.size ?? fileSize(session.path) };
}

export async function withBranches(hits: readonly SearchHit[]): Promise<SearchHit[]> {
  const threads = new Map<string, readonly LogThread[]>();
  for (const { agent, path } of hits) {
    if (agent !== REPRISE || threads.has(path)) continue;
    threads.set(path, await threadsOf(path));
  }
  return hits.map((hit) => {
    const thread = threadAt(threads.get(hit.path) ?? [], hit.seq)?.id;
    return thread === undefined || thread === MAIN_THREAD ? hit : { ...hit, thread };
  });
}

async function threadsOf(path: string): Promise<readonly LogThread[]> {
  try {
    return threadsIn((await findBranches(path)).branches);
  } catch (error) {
    // It was deleted since: its hits stay.
    if (error instanceof SessionError) return [];
    throw error;
  }
}

/** Searches the titles, tags and notes from the user. The index does not contain them. */
function scanMarks(
  task: SearchTask,
  sessions: readonly SearchedSession[],
  marks: Marks,
): ScanResult {
  const top = new TopHits<SearchHit>(task);
  for (const searched of marks.size === 0 ? [] : sessions) {
    searchMarked(task, searched, markedTexts(searched, marks), top);
  }
  return { ...NO_RESULT, hits: top.hits, total: top.total };
}
