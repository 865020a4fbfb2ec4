/**
 * Searching the sessions of coding agents, with an index or without.
 *
 * @example Find who said something
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { searchSessions } from "@reprise/reprise/search";
 *
 * const library = openLibrary({ root: "/no/such/store", variable: () => undefined });
 * const request = { query: "ledger -test", now: Date.now() };
 * const { hits, total } = await searchSessions(await library.sessions(), request);
 * assert.deepEqual([hits.length, total], [0, 0]);
 * ```
 *
 * @module
 */
export { updateIndex, type UpdateOptions, type UpdateResult } from "./index/index_update.ts";
export type { TextRange } from "./query_match.ts";
export type { Ranked } from "./rank.ts";
export type { ScanOptions } from "./scan/scan.ts";
export { type SearchOptions, type SearchResult, searchSessions } from "./search.ts";
export { SEARCH_ROLES, type SearchRole } from "./searchable_text.ts";
export type { SearchedSession, SearchHit, SearchRequest } from "./search_task.ts";
