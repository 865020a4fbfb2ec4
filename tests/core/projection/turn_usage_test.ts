import assert from "node:assert/strict";
import { decodeEvent } from "../../../lib/core/event/decode.ts";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { type TurnTotal, TurnUsage } from "../../../lib/core/projection/turn_usage.ts";

function event(seq: number, kind: string, payload: object): LogEvent {
  const decoded = decodeEvent({ seq, kind, payload });
  assert.ok(decoded !== undefined);
  return decoded;
}

function answer(seq: number, fields: object): LogEvent {
  return event(seq, "assistant_message", { content: "a", ...fields });
}

function totals(events: readonly LogEvent[], usage = new TurnUsage()): TurnTotal[] {
  const ended = events.map((one) => usage.take(one));
  return [...ended, usage.end()].filter((total) => total !== undefined);
}

Deno.test("a turn is what lies between two prompts, and each response counts once", () => {
  const usage = { input: 10, output: 2 };
  const prompt = (seq: number): LogEvent => event(seq, "user_message", { content: "go" });
  assert.deepEqual(
    totals([
      prompt(1),
      answer(2, { model: "m1", message_id: "x", usage: { input: 10, output: 1 }, cost_usd: 1 }),
      answer(3, { model: "m1", message_id: "x", usage, cost_usd: 1.5 }),
      answer(4, { model: "m2", usage, cost_usd: 0.5 }),
      prompt(5),
      prompt(6),
      answer(7, { model: "m1", usage }),
    ]),
    [
      { seq: 4, models: ["m1", "m2"], usage: { input: 20, output: 4 }, cost_usd: 2 },
      { seq: 7, models: ["m1"], usage, unknown_models: ["m1"] },
    ],
  );
});

Deno.test("a cost that was not recorded is estimated, and marked", () => {
  const estimated = new TurnUsage((model, { input }) => model === "known" ? input * 2 : undefined);
  assert.deepEqual(
    totals([
      answer(1, { model: "known", usage: { input: 10 } }),
      answer(2, { model: "new", usage: { input: 1 } }),
    ], estimated),
    [{
      seq: 2,
      models: ["known", "new"],
      usage: { input: 11 },
      cost_usd: 20,
      cost_estimated: true,
      unknown_models: ["new"],
    }],
  );
});

Deno.test("a turn without any usage is none", () => {
  assert.deepEqual(totals([event(1, "user_message", { content: "hi" }), answer(2, {})]), []);
});
