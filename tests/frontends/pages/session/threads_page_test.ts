import assert from "node:assert/strict";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import { inHome, sessionId } from "../../../_support/cli_home.ts";
import { user } from "../../../_support/log_bytes.ts";
import { askOf } from "../_site.ts";

const ID = sessionId("aaaa");

function answer(cost_usd: number): NewEvent {
  const usage = { input: 1000 * cost_usd, output: 0 };
  return { kind: "assistant_message", payload: { content: "ok", model: "m", usage, cost_usd } };
}

inHome.test("threads are rows of a table with what they took, each below the one it left", async (home) => {
  home.keep(ID, [
    user("Go on"),
    answer(2),
    user("Turn left"),
    answer(3),
    { kind: "conversation_branched", payload: { from_seq: 3 } },
    user("Turn right"),
    answer(1),
    user("Then stop"),
    answer(1),
  ]);
  const { status, body } = await askOf(home)(`threads?ref=${ID}`);
  assert.equal(status, 200);
  const rows = [...body.matchAll(/<tr data-row>(.*?)<\/tr>/g)].map(([, row = ""]) =>
    row.replaceAll(/<td class="name (depth\d)">/g, "$1 ").replaceAll("</td>", "|")
      .replaceAll(/<[^>]*>/g, "")
  );
  assert.deepEqual(rows, [
    // Answers of a log's branches count in its main thread.
    "depth0 Main thread|main|3|7.0k|$7.00|2026-11-21|",
    "depth1 Turn left|branch|1|||2026-11-21|",
  ]);
});
