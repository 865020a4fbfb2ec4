/** Expressions that would need years for one text. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { hasNestedRepeats } from "../../../../lib/library/search/nested_repeats.ts";
import { searchSessions } from "../../../../lib/library/search/search.ts";
import { CliHome, sessionId } from "../../../_support/cli_home.ts";
import { user } from "../../../_support/log_bytes.ts";
import { ownSessions } from "../../../_support/own_sessions.ts";
import { withThreads } from "../_threads.ts";

const PROGRAM = fileURLToPath(new URL("_bounded_search.ts", import.meta.url));

// Slow: a process of its own has a thread that loads a search, and is ended at its bound.
Deno.test("an expression that needs too long ends at its bound, with the hits until then", async () => {
  await using home = new CliHome();
  const { path } = home.keep(sessionId("aaaa"), [user(`${"a".repeat(60)}!`)]);
  // One thread searches the other session first.
  Deno.utimeSync(path, new Date(0), new Date(0));
  home.keep(sessionId("bbbb"), [user("a ledger")]);
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-lock", PROGRAM, home.store],
    signal: AbortSignal.timeout(120_000),
  }).output();
  assert.ok(success);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), {
    whole: [1, "all"],
    hits: [sessionId("bbbb")],
    late: [1, true, true],
    marked: 0,
    stopped: "Error: enough",
  });
});

class NoThread {
  constructor() {
    throw new Error("no threads");
  }
}

Deno.test("without threads a search ends at its bound and refuses expressions that may never end", async () => {
  await using home = new CliHome();
  home.keep(sessionId("aaaa"), [user(`${"a".repeat(60)}! ledger`)]);
  const sessions = ownSessions(home.store);
  const find = (query: string, regex_ms = 30_000) =>
    searchSessions(sessions, { query, regex: true, now: 0 }, { regex_ms });
  await withThreads(NoThread as unknown as typeof Worker, async () => {
    assert.equal((await find("led.er")).total, 1);
    assert.deepEqual((await find("led.er", -1)).searched_in_time, 0);
    await assert.rejects(find("(a+)+$"), {
      name: "SyntaxError",
      message: /cannot stop such a search.*simplify the expression/,
    });
  });
});

Deno.test("hasNestedRepeats knows repeated groups of repeats, alternatives and back references", () => {
  const slow = [
    "(a+)+$",
    "(?:a|aa)*$",
    "(.*a){25}",
    "((a?))+",
    "(?<n>(b*)){2,}",
    "(a)\\1",
    "(?i:a+)+",
  ];
  const quick = [
    "TODO\\(\\w+\\)+",
    "(a+)b",
    "[(a+)]+",
    "(ab)+",
    "(\\p{L}{2})+",
    "a|b+",
    "(?<=x+)y",
  ];
  const judged = [...slow, ...quick].filter((text) => hasNestedRepeats(new RegExp(text, "u")));
  assert.deepEqual(judged, slow);
});
