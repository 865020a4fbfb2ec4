/** Searches of other agents' sessions, held to what reading every event of them finds. */
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { isThere } from "../../../lib/core/file/presence.ts";
import { loadAgent } from "../../../lib/library/machine/registry.ts";
import { indexStatus } from "../../../lib/library/search/index/index_status.ts";
import { updateIndex } from "../../../lib/library/search/index/index_update.ts";
import { makePrefilter } from "../../../lib/library/search/prefilter/prefilter.ts";
import { textTerm } from "../../../lib/library/search/query.ts";
import { mayHold } from "../../../lib/library/search/scan/scan_session.ts";
import { searchEntries, searchSessions } from "../../../lib/library/search/search.ts";
import { searchableTexts } from "../../../lib/library/search/searchable_text.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { inHome } from "../../_support/cli_home.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { needing, recorded } from "../../_support/needing.ts";
import { SAMPLES } from "../../_support/samples.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { AGENTS, sessionsBelow } from "./_agent_sessions.ts";
import { assertCounts, NOW, placesOf, readReference, requestFor } from "./_reference.ts";

const DAY = 86_400_000;

/** The searchable texts of all threads. */
async function textsOf(source: AgentSession): Promise<string[]> {
  const texts: string[] = [];
  try {
    for await (const { events } of (await loadAgent(source.agent)).open(source).readThreads()) {
      for (const event of events) {
        texts.push(...searchableTexts(event).flatMap(({ pieces }) => pieces));
      }
    }
  } catch {
    // A sample of what cannot be read.
  }
  return texts;
}

/** Words, and stretches, of each session. */
const ROUNDS = roundsOf(400, 5);

/** Holds the prefilter of a session to words and to random stretches of the texts that its reader gives. */
async function assertNothingRejected(source: AgentSession): Promise<number> {
  const texts = (await textsOf(source)).filter((text) => text.isWellFormed());
  const all_words = [...new Set(texts.flatMap((text) => text.split(/\s+/u)))];
  const step = Math.max(1, Math.floor(all_words.length / ROUNDS));
  const words = all_words.filter((_, index) => index % step === 0).slice(0, ROUNDS);
  let asked = 0;
  for (const wanted of [...words.map((word) => word.slice(0, 80)), ...stretchesOf(texts)]) {
    if (wanted.trim() === "" || !wanted.isWellFormed()) continue;
    const term = textTerm(wanted);
    const prefilter = makePrefilter({ root: term, terms: [term] });
    if (prefilter === undefined) continue;
    assert.ok(await mayHold(prefilter, source), `${source.path}: ${JSON.stringify(wanted)}`);
    asked++;
  }
  return asked;
}

/** Stretches of a few words, cut anywhere; most of a text that has line ends go over one. */
function stretchesOf(texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  const random = fc.tuple(
    fc.constantFrom(...texts),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: 4, max: 60 }),
    fc.boolean(),
  );
  const places = fc.sample(random, { seed: 25, numRuns: ROUNDS });
  return places.map(([text, at, length, over_line]) => {
    const ends = over_line ? [...text.matchAll(/\n/g)].map(({ index }) => index) : [];
    const start = ends.length === 0
      ? Math.floor(at * text.length)
      : Math.max(0, (ends[Math.floor(at * (ends.length - 1))] ?? 0) - length / 2);
    return text.slice(start, start + length);
  });
}

// Slow: every sample of every agent is read.
Deno.test("the prefilter rejects no stretch of another agent's texts", async () => {
  let asked = 0;
  for (const session of await sessionsBelow(AGENTS)) asked += await assertNothingRejected(session);
  assert.ok(asked > 500, `${asked}`);
});

Deno.test(
  needing("the prefilter rejects no stretch of a real session", recorded(isThere(SAMPLES))),
  async () => {
    let asked = 0;
    for (const session of await sessionsBelow(SAMPLES)) {
      asked += await assertNothingRejected(session);
    }
    assert.ok(asked > 12 * ROUNDS, `${asked}`);
  },
);

Deno.test("the prefilter rejects terms absent from an agent's files", async () => {
  const term = textTerm("zebrafish");
  const prefilter = makePrefilter({ root: term, terms: [term] });
  const rejected = new Set<string>();
  for (const session of await sessionsBelow(AGENTS)) {
    if (!await mayHold(prefilter, session).catch(() => true)) rejected.add(session.agent);
  }
  assert.deepEqual([...rejected].sort(), ["claude", "codex", "pi"]);
});

// Slow: samples of every agent are read, indexed and searched.
inHome.test("a scan, and the index, find in other agents' sessions what reading them finds", async (home) => {
  const groups = Map.groupBy(await sessionsBelow(AGENTS), ({ agent }) => agent);
  const sources = [...groups.values()].flatMap((all) => all.slice(0, roundsOf(all.length, 6)));
  await updateIndex(home.cache, sources);
  const { state, sessions } = indexStatus(home.cache, sources);
  assert.equal(state, "current");
  assert.ok(sessions > 20, `${sessions}`);
  const reference = await readReference(sources);
  const agents = new Set<string>();
  for (const query of ["the", '"hello"', "e*", "re OR zzz"]) {
    const wanted = reference(requestFor(query));
    const all = await searchSessions(sources, requestFor(query));
    assert.deepEqual(placesOf(all.hits), placesOf(wanted), query);
    for (const { agent } of all.hits) agents.add(agent);
    const options = { cache: home.cache };
    const { hits, scanned_bytes } = await searchSessions(sources, requestFor(query), options);
    assert.deepEqual(placesOf(hits), placesOf(wanted), query);
    assert.ok(wanted.length > 0, query);
    // The index knows parts of three letters.
    const known = query.length < 3 || query.startsWith("re") ? Infinity : all.scanned_bytes / 2;
    assert.ok(scanned_bytes < known, `${scanned_bytes} of ${all.scanned_bytes}`);
  }
  assert.ok(agents.size >= 9, [...agents].join());
});

// Slow: a session of each agent is read by each query.
inHome.test("a search of other agents' sessions stops with the first page, too", async (home) => {
  const all_sources = await sessionsBelow(AGENTS);
  const one_each = [...Map.groupBy(all_sources, ({ agent }) => agent).values()].map(([one]) => one);
  const sources = ALL_TORTURE ? all_sources : one_each as AgentSession[];
  // Every agent has one that is new, and others that are old.
  const entries = sources.map((session, index) => {
    return { session, updated: NOW - (index * 7 % sources.length) * DAY };
  });
  await updateIndex(home.cache, sources);
  const queries = ["the", "est", "error", "file -test", '"in the"', '"the file"', "re OR zzz", "e"];
  let stopped = 0;
  for (const [index, query] of queries.entries()) {
    const sorts = ["relevance", "time"] as const;
    for (const sort of ALL_TORTURE ? sorts : [sorts[index % 2] ?? "time"]) {
      const wanted = requestFor(query, { sort, limit: 2 });
      const all = await searchEntries(entries, { ...wanted, count_all: true });
      const found = await searchEntries(entries, wanted);
      assert.deepEqual(found.hits, all.hits, `${query} ${sort}`);
      assertCounts(found, all);
      const { hits } = await searchEntries(entries, wanted, { cache: home.cache });
      assert.deepEqual(hits, all.hits, `${query} ${sort}, indexed`);
      stopped += Number(found.possible === Infinity);
    }
  }
  assert.ok(stopped >= queries.length / (ALL_TORTURE ? 1 : 2), `${stopped}`);
});
