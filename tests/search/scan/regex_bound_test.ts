/** Expressions that would need years for one text. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { CliHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";

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
