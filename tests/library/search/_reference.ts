/** What a search must find: every event of every session read as a whole, and looked at one by one. */
import assert from "node:assert/strict";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { loadAgent } from "../../../lib/library/machine/registry.ts";
import { modifiedAt } from "../../../lib/library/search/index/source_stamp.ts";
import { TopHits } from "../../../lib/library/search/rank.ts";
import {
  type SearchOptions,
  type SearchResult,
  searchSessions,
} from "../../../lib/library/search/search.ts";
import {
  type SearchedThread,
  searchEvent,
  type SearchHit,
  type SearchRequest,
  toTask,
} from "../../../lib/library/search/search_task.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";

/** The time from which tests count age. */
export const NOW = Date.UTC(2026, 10, 22);

/** A request for so many hits that none is left out. */
export function requestFor(query: string, more: Partial<SearchRequest> = {}): SearchRequest {
  return { query, regex: false, now: NOW, sort: "relevance", limit: 10_000, ...more };
}

/** Answers a request as it must be answered: without prefilter, threads and index. */
export type Reference = (request: SearchRequest) => readonly SearchHit[];

/** Reads every event of sessions once, for many requests. */
export async function readReference(sessions: readonly AgentSession[]): Promise<Reference> {
  const read: { place: SearchedThread; events: readonly LogEvent[] }[] = [];
  for (const session of sessions) {
    const agent = await loadAgent(session.agent);
    try {
      for await (const { thread, events } of agent.open(session).readThreads()) {
        const updated = modifiedAt(session.path);
        read.push({ place: { session, thread, updated }, events });
      }
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
    }
  }
  return (request) => {
    const task = toTask(request);
    const top = new TopHits<SearchHit>(task);
    for (const { place, events } of read) {
      for (const event of events) searchEvent(task, place, event, top);
    }
    return top.hits;
  };
}

/** The hits of a search. */
export async function hitsOf(
  sessions: readonly AgentSession[],
  request: SearchRequest,
  options: SearchOptions = {},
): Promise<readonly SearchHit[]> {
  return (await searchSessions(sessions, request, options)).hits;
}

/** Hits as a test writes them. */
export function placesOf(hits: readonly SearchHit[]): string[] {
  return hits.map(({ ref, seq, role }) => `${ref.slice(0, 8)}#${seq} ${role}`).sort();
}

/** Words of texts, some of them cut, in other cases: what somebody could look for. */
export function queriesFrom(texts: readonly string[], seed = 1): string[] {
  const words = [...new Set(texts.flatMap((text) => text.split(/[\s"()*]+/u)))]
    .filter((word) => word.isWellFormed() && /^[^-\p{Cc}][^\p{Cc}]*$/u.test(word));

  let state = seed;
  const below = (limit: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % limit;
  };
  return words.map((word) => {
    const characters = [...word].slice(0, 60);
    const start = below(characters.length);
    const piece = characters.slice(start, start + 1 + below(12)).join("");
    const cased = below(3) === 0 ? piece.toUpperCase() : piece;
    return `"${cased}"`;
  }).filter((query) => query.trim().length > 2 && !query.includes("\\u"));
}

/** Holds the counts of a search that may stop to those of one that reads all. */
export function assertCounts(found: SearchResult, all: SearchResult): void {
  assert.ok(found.total <= all.total && all.total <= found.possible);
  assert.equal(found.estimated, found.total < found.possible);
  assert.deepEqual([all.estimated, all.possible], [false, all.total]);
}
