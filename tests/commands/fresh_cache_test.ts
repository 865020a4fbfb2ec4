/** Two programs that fill one fresh cache at once: a list and the full screen. */
import assert from "node:assert/strict";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { roundsOf } from "../_support/few_rounds.ts";
import { user } from "../_support/log_bytes.ts";
import { settle } from "../_support/settle.ts";
import { testsNeeding } from "../_support/tests_in.ts";
import { keepPiSession } from "./_pi_session.ts";
import { shellLine, TERMINAL, Terminal } from "./_terminal.ts";

const atTerminal = testsNeeding(TERMINAL);
const SIZE = { columns: 120, rows: 40, env: { PAGER: "" } };
const SESSIONS = 11;

/** Keeps sessions of which only a whole read tells the cost. */
function furnish(home: CliHome): void {
  for (let index = 0; index < SESSIONS; index++) {
    const { path } = keepPiSession(home, `${1000 + index}aaaa`, `Question ${index}`);
    let parentId = "a1";
    for (let answer = 0; answer < 200; answer++) {
      const [id, timestamp] = [`b${index}x${answer}`, "2026-11-21T20:01:00.000Z"];
      const content = [{ type: "text", text: "Answer ".repeat(20) }];
      const usage = { input: 9000, output: 100 + index, cacheRead: 0, cacheWrite: 0 };
      const said = { role: "assistant", content, usage, stopReason: "stop" };
      const message = { ...said, model: "claude-sonnet-4-5", responseId: `${index} ${answer}` };
      const record = { type: "message", id, parentId, timestamp, message };
      Deno.writeTextFileSync(path, JSON.stringify(record) + "\n", { append: true });
      parentId = id;
    }
  }
  home.keep(sessionId("aaaa"), [user("Without an answer")]);
}

/** Busy processes, one a core, until they are disposed of. */
function startLoad(): AsyncDisposable {
  const busy = Array.from(
    { length: navigator.hardwareConcurrency },
    () => new Deno.Command("sh", { args: ["-c", "while :; do :; done"], stdin: "null" }).spawn(),
  );
  return {
    async [Symbol.asyncDispose](): Promise<void> {
      for (const one of busy) one.kill("SIGKILL");
      await Promise.all(busy.map(({ status }) => status));
    },
  };
}

// Slow: each round runs two programs in terminals, on a busy machine.
atTerminal.test("a list and the full screen that fill a fresh cache at once leave no row without cost", async () => {
  await using _load = startLoad();
  for (let round = 0; round < roundsOf(50, 2); round++) {
    await using home = new CliHome();
    furnish(home);
    await settle();
    await using list = await Terminal.open(
      home,
      `${shellLine(["list", "--all"])}\necho list=$?`,
      SIZE,
    );
    const show = `${shellLine(["show", "--last", "1"])}\necho show=$?`;
    await using screen = await Terminal.open(home, show, SIZE);
    await screen.until(/^❯ /m);
    await screen.type("sort:cost");
    await screen.until(/sorted by cost$/m);
    await screen.until(/\$.*Question 10/);
    await screen.press("Escape");
    await Promise.all([list.until(/^list=0$/m), screen.until(/^show=\d+$/m)]);
    const { stdout } = await home.succeed(["list", "--all", "--json"]);
    const rows = jsonLines<Summary>(stdout);
    assert.equal(rows.length, SESSIONS + 1);
    const without = rows.filter(({ agent, cost_usd }) => agent === "pi" && cost_usd === undefined);
    assert.deepEqual(without.map(({ ref }) => ref), [], `round ${round}`);
  }
});
