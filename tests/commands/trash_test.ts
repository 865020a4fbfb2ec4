import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { needing } from "../_support/needing.ts";
import { shellLine, TERMINAL, Terminal } from "./_terminal.ts";

// Slow: a program in a terminal is answered key by key.
Deno.test(
  needing("trash empty asks on a terminal: no leaves all, yes deletes", TERMINAL),
  async () => {
    await using home = new CliHome();
    home.keep(sessionId("aaaa"), [user("one")]);
    home.keep(sessionId("bbbb"), [user("two")]);
    await home.succeed(["delete", "aaaa", "bbbb"]);
    const empty = shellLine(["trash", "empty"]);
    const script = `${empty}; echo "first $?"\n${empty}; echo "second $?"`;
    await using terminal = await Terminal.open(home, script, { columns: 100 });
    await terminal.until(/Delete 2 sessions, \d+ B, for good\? \[y\/N\]/);
    await terminal.press("n", "Enter");
    await terminal.until(/Nothing was deleted\s+first 130/);
    assert.equal(jsonLines((await home.run(["trash", "list", "--json"])).stdout).length, 2);
    await terminal.press("y", "Enter");
    await terminal.until(/Deleted 2 sessions, \d+ B\s+second 0/);
    assert.equal((await home.run(["trash", "list"])).stderr, "The trash is empty\n");
  },
);
