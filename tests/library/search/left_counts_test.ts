import assert from "node:assert/strict";
import { type Library, openLibrary } from "../../../lib/library/library.ts";
import { searchEntries } from "../../../lib/library/search/search.ts";
import { updateIndex } from "../../../lib/library/search/mod.ts";
import { makeAgentHome } from "../../bench/agent_sessions.ts";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { requestFor } from "./_reference.ts";
import { listed } from "../../_support/listed.ts";

/** A home with a session that is too long for a list to count. */
function longSession(home: CliHome, agent: "claude" | "pi"): void {
  makeAgentHome(agent, home.path, { count: 1, shape: "short", bytes: 1_100_000 });
}

function libraryOf(home: CliHome, cache?: typeof CACHED): Library {
  const variable = (name: string): string | undefined => name === "HOME" ? home.path : undefined;
  return openLibrary({ root: home.store, variable, cwd: home.work, cache });
}

/** Files that have just been written are not remembered: here, they were written long ago. */
const CACHED = { version: "1", now: (): number => Date.now() + 60_000 };

/** The counts that a list shows without reading. */
async function countsIn(home: CliHome): Promise<(number | undefined)[]> {
  const rows = await listed(libraryOf(home, CACHED));
  return rows.map(({ message_count }) => message_count);
}

/** The counts that reading all of them gives. */
async function exactCounts(home: CliHome): Promise<(number | undefined)[]> {
  const rows = await listed(libraryOf(home), { exact: true });
  return rows.map(({ message_count }) => message_count);
}

inHome.test("a search leaves the counts of sessions that it read whole", async (home) => {
  longSession(home, "claude");
  assert.deepEqual(await countsIn(home), [undefined]);
  const library = libraryOf(home, CACHED);
  const { entries } = await library.query();
  const request = requestFor("export OR return");
  await searchEntries(entries, request, { kept: library.kept, workers: 1, patience_ms: 0 });
  const counts = await countsIn(home);
  assert.ok(counts.every((count) => (count ?? 0) > 100), counts.join());
  assert.deepEqual(counts, await exactCounts(home));
});

inHome.test("building the index leaves the counts of all sessions", async (home) => {
  longSession(home, "pi");
  assert.deepEqual(await countsIn(home), [undefined]);
  const library = libraryOf(home, CACHED);
  await updateIndex(home.cache, await library.sessions(), { kept: library.kept, workers: 1 });
  const counts = await countsIn(home);
  assert.ok(counts.every((count) => (count ?? 0) > 100), counts.join());
  assert.deepEqual(counts, await exactCounts(home));
});
