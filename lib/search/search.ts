/**
 * Searching sessions, by the index as far as it knows them, by a scan for the rest.
 *
 * @module
 */
import { searchIndexed } from "./index/indexed_search.ts";
import type { SessionState } from "../library/catalogue/session_state.ts";
import { mergeResults, scan, type ScanOptions } from "./scan/scan.ts";
import type { ScanItem } from "./scan/scan_sources.ts";
import type { AgentSession } from "../source/agent.ts";
import { fileSize } from "./file_size.ts";
import { type SearchHit, type SearchRequest, toTask } from "./search_task.ts";

/** Options of {@linkcode searchSessions}. */
export interface SearchOptions extends ScanOptions {
  /** The cache folder whose index to use, as `library.cache`. @default {none: all is scanned} */
  cache?: string | undefined;
  /**
   * The states in which sessions were located just now, so that their files are not looked at again.
   * @default {none: the files are looked at}
   */
  seen?: ReadonlyMap<AgentSession, SessionState>;
  /** Gets how many bytes there are to scan, before they are. */
  onScan?: (bytes: number) => void;
}

/** The result of a search. */
export interface SearchResult {
  /** The first ones, in order. */
  hits: readonly SearchHit[];
  /** Number of all hits; at least so many, where `estimated`. */
  total: number;
  /**
   * Maximum number of hits that are possible: those that the index cannot rule out are counted too.
   */
  possible: number;
  /** True if some of them were not read, so that only `total` and `possible` are known. */
  estimated: boolean;
  /** The sessions that could not be read. */
  unread: readonly { ref: string; message: string }[];
  /** Bytes that were scanned, for no index knew them. */
  scanned_bytes: number;
}

/**
 * Checks a query without looking for it.
 *
 * @param request What is to be searched for.
 * @throws {SyntaxError} That says what is wrong with the query.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { assertQuery } from "@reprise/reprise/search";
 *
 * assertQuery({ query: "ledger -test" });
 * assert.throws(() => assertQuery({ query: "(ledger" }), SyntaxError);
 * ```
 */
export function assertQuery(request: Pick<SearchRequest, "query"> & Partial<SearchRequest>): void {
  toTask({ regex: false, sort: "relevance", limit: 1, now: 0, ...request });
}

/**
 * Searches sessions. The answer is the same with an index and without one, but for an estimated
 * total.
 *
 * @param sessions Where to search.
 * @param request What to search for.
 * @param options Index and progress.
 * @returns The first hits, and how many there are.
 * @throws {SyntaxError} That says what is wrong with the query.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openStore } from "@reprise/reprise";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { searchSessions } from "@reprise/reprise/search";
 *
 * const root = await Deno.makeTempDir();
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
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function searchSessions(
  sessions: readonly AgentSession[],
  request: Pick<SearchRequest, "query" | "now"> & Partial<SearchRequest>,
  { cache, seen, onScan, ...options }: SearchOptions = {},
): Promise<SearchResult> {
  const task = toTask({ regex: false, sort: "relevance", limit: 20, ...request });
  const { signal } = options;
  const indexed = cache === undefined
    ? undefined
    : await searchIndexed(cache, task, sessions, { seen, signal });
  const items: readonly ScanItem[] = indexed?.rest ??
    sessions.map((session) => ({ session, bytes: fileSize(session.path) ?? 0 }));
  const scanned_bytes = items.reduce((sum, { bytes }) => sum + bytes, 0);
  onScan?.(scanned_bytes);
  const scanned = await scan(task, items, options);
  const results = indexed === undefined ? [scanned] : [indexed.result, scanned];
  const merged = mergeResults(task, results);
  const unverified = indexed?.unverified ?? 0;
  return {
    ...merged,
    possible: merged.total + unverified,
    estimated: unverified > 0,
    scanned_bytes,
  };
}
