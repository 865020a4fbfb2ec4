import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { updateIndex } from "../../../lib/library/search/index/index_update.ts";
import { searchEntries } from "../../../lib/library/search/search.ts";
import type { SearchedEntry, SearchRequest } from "../../../lib/library/search/search_task.ts";
import { SEARCH_ROLES, type SearchRole } from "../../../lib/library/search/searchable_text.ts";
import { CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, toolEnd, user } from "../../_support/log_bytes.ts";
import { ownSessions } from "../../_support/own_sessions.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { assertCounts, NOW, requestFor } from "./_reference.ts";

const DAY = 86_400_000;
const ROUNDS = roundsOf(400, 16);

/** An event of a role. */
function eventOf(role: SearchRole, text: string): NewEvent {
  if (role === "user") return user(text);
  if (role === "assistant") return assistant(text);
  if (role === "tool") return toolEnd("c", text);
  return { kind: "reasoning_message", payload: { content: text } };
}

const words = fc.constantFrom("fix", "prefix", "fixes", "fix", "the", "bug", "Fix!", "日fix本");
const text = fc.tuple(fc.array(words, { minLength: 1, maxLength: 5 }), fc.constantFrom(1, 1, 400))
  .map(([some, times]) => `${some.join(" ")} `.repeat(times).trim());
const session = fc.record({
  /** Some were updated at one time, some at none that is known, some later than now. */
  updated: fc.constantFrom(NaN, -2, 0, 0, 1, 1.5, 20, 40, 400, 401),
  events: fc.array(fc.tuple(fc.constantFrom(...SEARCH_ROLES), text), {
    minLength: 1,
    maxLength: 6,
  }),
});
const request = fc.record({
  query: fc.constantFrom("fix", "ix", '"fix the"', "the OR fix", "fix bug", "fix -bug", "pre*"),
  sort: fc.constantFrom("relevance", "relevance", "time"),
  limit: fc.integer({ min: 1, max: 8 }),
  roles: fc.constantFrom(undefined, ["tool"], ["assistant", "tool"]),
});

/** Keeps sessions, and gives them with the moments of their updates. */
function keep(
  home: CliHome,
  sessions: readonly { updated: number; events: readonly (readonly [SearchRole, string])[] }[],
): SearchedEntry[] {
  const updates = new Map(sessions.map(({ updated, events }, index) => {
    const id = sessionId(`${1000 + index}`);
    home.keep(id, events.map(([role, text]) => eventOf(role, text)));
    return [id, NOW - updated * DAY] as const;
  }));
  return ownSessions(home.store)
    .map((session) => ({ session, updated: updates.get(session.id) ?? NaN }));
}

// Slow: each round builds an index.
Deno.test("a search that stops finds the first page of the one that reads all sessions", async () => {
  let stopped = 0;
  const property = fc.asyncProperty(
    fc.array(session, { minLength: 1, maxLength: 12 }),
    request,
    async (sessions, { roles, sort, ...asked }) => {
      await using home = new CliHome();
      const entries = keep(home, sessions);
      const more = { ...asked, sort, ...(roles === undefined ? {} : { roles }) };
      const wanted = requestFor(asked.query, more as Partial<SearchRequest>);
      const all = await searchEntries(entries, { ...wanted, count_all: true });
      const found = await searchEntries(entries, wanted);
      assert.deepEqual(found.hits, all.hits);
      assertCounts(found, all);
      stopped += Number(found.possible === Infinity);
      await updateIndex(home.cache, entries.slice(1).map(({ session }) => session));
      const indexed = await searchEntries(entries, wanted, { cache: home.cache });
      assert.deepEqual(indexed.hits, all.hits);
      assertCounts(indexed, all);
    },
  );
  await fc.assert(property, { seed: 25, numRuns: ROUNDS });
  assert.ok(stopped > ROUNDS / 8, `${stopped}`);
});

inHome.test("threads stop where one thread stops", async (home) => {
  const entries = keep(
    home,
    [...Array(40).keys()].map((updated) => {
      return { updated, events: [["user", "fix"], ["tool", "fix"]] as const };
    }),
  );
  const wanted = requestFor("fix", { limit: 7 });
  const [alone, beside] = [
    await searchEntries(entries, wanted, { workers: 0 }),
    await searchEntries(entries, wanted, { workers: 2, patience_ms: 0 }),
  ];
  assert.deepEqual(beside.hits, alone.hits);
  assert.deepEqual([alone.total, alone.possible, beside.possible], [14, Infinity, Infinity]);
});

inHome.test("a session is not parsed where it has parts of words alone that come too late", async (home) => {
  const long = "prefix ".repeat(2000);
  const entries = keep(
    home,
    [...Array(30).keys()].map((updated) => {
      return { updated, events: [["user", `prefix ${updated}`], ["tool", long]] as const };
    }),
  );
  const { hits, total, possible } = await searchEntries(entries, requestFor("fix", { limit: 5 }));
  assert.deepEqual(hits.map(({ updated }) => (NOW - updated) / DAY), [0, 1, 2, 3, 4]);
  assert.deepEqual([total, possible], [10, Infinity]);
});

inHome.test("a whole word comes before a part of a word, with an index and without", async (home) => {
  const entries = keep(home, [
    { updated: 0, events: [["user", "A prefix"], ["user", "prefix, then fix"]] },
    { updated: 300, events: [["tool", `fix ${"and more ".repeat(4000)}`], ["user", "fixes"]] },
    { updated: 300, events: [["tool", "修fix理"], ["assistant", "fix_it"]] },
  ]);
  await updateIndex(home.cache, entries.map(({ session }) => session));
  for (const options of [{}, { cache: home.cache }]) {
    const { hits } = await searchEntries(entries, requestFor("fix"), options);
    assert.deepEqual(hits.map(({ snippet }) => snippet.slice(0, 12)), [
      ...["prefix, then", "修fix理", "fix and more", "A prefix", "fixes", "fix_it"],
    ]);
  }
});
