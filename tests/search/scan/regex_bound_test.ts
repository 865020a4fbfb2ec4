/** Expressions that would need years for one text. */
import assert from "node:assert/strict";
import { searchSessions } from "../../../lib/search/search.ts";
import { CliHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { ownSessions } from "../../_support/own_sessions.ts";

const request = { query: "(?:a+)+$|ledger", regex: true, now: Date.UTC(2026, 11, 1), limit: 9 };

// Slow: a thread loads the modules of a search, and is ended at its bound.
Deno.test("an expression that needs too long ends at its bound, with the hits until then", async () => {
  await using home = new CliHome();
  const { path } = home.keep(sessionId("aaaa"), [user(`${"a".repeat(60)}!`)]);
  // One thread searches the other session first.
  Deno.utimeSync(path, new Date(0), new Date(0));
  home.keep(sessionId("bbbb"), [user("a ledger")]);
  const sessions = ownSessions(home.store);
  const whole = await searchSessions(sessions, { ...request, query: "ledger" });
  assert.deepEqual([whole.total, whole.searched_in_time], [1, undefined]);
  // Until the thread has loaded: a busy machine needs longer.
  let late = whole;
  for (let regex_ms = 1000; late.searched_in_time !== 1 && regex_ms < 60_000; regex_ms *= 2) {
    late = await searchSessions(sessions, request, { regex_ms, workers: 1 });
  }
  assert.deepEqual(late.hits.map(({ session_id }) => session_id), [sessionId("bbbb")]);
  assert.deepEqual([late.searched_in_time, late.estimated, late.possible], [1, true, Infinity]);
  const controller = new AbortController();
  const { signal } = controller;
  const stopped = searchSessions(sessions, request, { signal });
  controller.abort(new Error("enough"));
  await assert.rejects(stopped, /enough/);
});
