import assert from "node:assert/strict";
import { CountedUsage } from "../../../lib/library/usage/counted_usage.ts";
import { type PackedUsage, packUsage } from "../../../lib/library/usage/packed_usage.ts";
import { SessionRows } from "../../../lib/library/usage/session_rows.ts";
import type { ResponseUsage } from "../../../lib/projection/response_usage.ts";
import type { UsageRow } from "../../../lib/projection/usage_rows.ts";
import { seededRandom } from "../../bench/random.ts";

function response(
  key: string | undefined,
  output: number,
  more: Partial<ResponseUsage> = {},
): ResponseUsage {
  const time = "2026-01-01T23:50:00.000Z";
  return { ...(key === undefined ? {} : { key }), time, model: "m", usage: { output }, ...more };
}

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

function rowsOf(sessions: readonly PackedUsage[], options = {}): UsageRow[][] {
  const counted = new CountedUsage();
  for (const session of sessions) counted.add(session);
  const rows = new SessionRows(counted, { dayOf, ...options });
  return sessions.map((_, index) => rows.of(index));
}

function outputs(...sessions: ResponseUsage[][]): unknown[] {
  return rowsOf(sessions.map((session) => packUsage(session)))
    .map((rows) => rows.map(({ messages, usage }) => [messages, usage.output]));
}

Deno.test("the record with the most tokens counts for a response, the first of equals", () => {
  const records = [response("a", 1), response("a", 9), response("b", 2), response("a", 4)];
  assert.deepEqual(outputs(records), [[[2, 11]]]);
});

Deno.test("a response belongs to the first session that has it, or to the one that has it best", () => {
  assert.deepEqual(outputs([response("a", 5)], [response("a", 5), response("b", 1)]), [
    [[1, 5]],
    [[1, 1]],
  ]);
  assert.deepEqual(outputs([response("a", 5)], [response("a", 6)], [response("a", 5)]), [
    [],
    [[1, 6]],
    [],
  ]);
});

Deno.test("a record without a key counts by itself", () => {
  assert.deepEqual(
    outputs([response(undefined, 5), response(undefined, 5)], [response(undefined, 5)]),
    [
      [[2, 10]],
      [[1, 5]],
    ],
  );
});

Deno.test("a side talk's copy of a message does not count, its own messages do", () => {
  const side = { sidechain: true } as const;
  const records = [response("a\n1", 5), response("a\n2", 9, side), response("b\n3", 7, side)];
  assert.deepEqual(outputs(records), [[[2, 12]]]);
});

Deno.test("the final record of a response counts, wherever it lies", () => {
  const side = { sidechain: true, thread: "acompact" } as const;
  assert.deepEqual(outputs([response("a\n1", 9, side), response("a\n1", 5)]), [[[1, 9]]]);
  assert.deepEqual(outputs([response("a\n1", 5), response("a\n1", 9, side)]), [[[1, 9]]]);
  assert.deepEqual(outputs([response("a\n1", 9), response("a\n1", 5, side)]), [[[1, 9]]]);
  const { threads } = packUsage([response("a\n1", 5), response("a\n1", 9, side)]);
  assert.deepEqual(threads, [""], "it belongs to the session's own thread");
});

Deno.test("sessions add up to the total, in any number", () => {
  const random = seededRandom(3);
  const best = new Map<string, number>();
  const sessions = Array.from({ length: 60 }, () =>
    Array.from({ length: 400 }, () => {
      const [key, output] = [`k${random.below(9000)}`, 1 + random.below(5)];
      best.set(key, Math.max(best.get(key) ?? 0, output));
      return response(key, output);
    }));
  let [messages, output] = [0, 0];
  for (const rows of rowsOf(sessions.map((session) => packUsage(session)))) {
    for (const row of rows) {
      [messages, output] = [messages + row.messages, output + (row.usage.output ?? 0)];
    }
  }
  assert.equal(messages, best.size);
  assert.equal(output, [...best.values()].reduce((sum, one) => sum + one, 0));
});

Deno.test("rows go by the reader's day and by model, and keep unknown counts unknown", () => {
  const session = packUsage([
    response("a", 1),
    response("b", 2, { time: "2026-01-02T00:10:00.000Z", model: "other" }),
    { model: "", usage: {} },
    response("c", 3, { usage: { input: 4, cache_read: 0, reasoning: 1 } }),
  ]);
  const [rows] = rowsOf([session]);
  assert.deepEqual(rows, [
    {
      day: "2026-01-01",
      model: "m",
      messages: 2,
      usage: { output: 1, input: 4, cache_read: 0, reasoning: 1 },
      unpriced: 2,
    },
    { day: "2026-01-02", model: "other", messages: 1, usage: { output: 2 }, unpriced: 1 },
    { day: "", model: "", messages: 1, usage: {} },
  ]);
  const tokyo = (milliseconds: number): string => dayOf(milliseconds + 9 * 3600e3);
  assert.deepEqual(rowsOf([session], { dayOf: tokyo })[0]?.map(({ day }) => day), [
    "2026-01-02",
    "2026-01-02",
    "",
  ]);
});

Deno.test("P13 a cost is the recorded one, else an estimate that is marked, else unknown", () => {
  const session = packUsage([
    response("a", 1, { cost_usd: 0 }),
    response("b", 2),
    response("c", 3, { model: "other", cache_write_1h: 7, usage: { output: 3, cache_write: 9 } }),
  ]);
  const seen: unknown[] = [];
  const estimate = (model: string, tokens: unknown, seconds: number): number | undefined => {
    seen.push([model, tokens, new Date(seconds * 1000).toISOString()]);
    return model === "m" ? 0.5 : undefined;
  };
  const [rows] = rowsOf([session], { estimate });
  assert.deepEqual(
    rows?.map((row) => [row.model, row.cost_usd, row.cost_estimated, row.unpriced]),
    [
      ["m", 0.5, true, undefined],
      ["other", undefined, undefined, 1],
    ],
  );
  const tokens = { input: 0, output: 3, cache_read: 0, cache_write: 9, cache_write_1h: 7 };
  assert.deepEqual(seen[1], ["other", tokens, "2026-01-01T23:50:00.000Z"]);
});
