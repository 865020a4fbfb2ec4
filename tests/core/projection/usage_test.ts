import assert from "node:assert/strict";
import type { EventSource, NewEvent } from "../../../lib/core/event/envelope.ts";
import type { AssistantMessagePayload, ParentInfo } from "../../../lib/core/event/payload.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import type { UsageRow } from "../../../lib/core/projection/usage_rows.ts";
import { usage } from "../../_support/usage.ts";
import { FULL_PAYLOADS } from "../../_support/every_kind.ts";
import { draft, fold, knownEvents } from "../../_support/known_events.ts";
import { user } from "../../_support/log_bytes.ts";

function answer(more: Partial<AssistantMessagePayload>, time?: string): NewEvent {
  const event = draft("assistant_message", { content: "a", ...more });
  return time === undefined ? event : { ...event, time };
}

function header(parent?: ParentInfo): NewEvent {
  const { parent: _, ...payload } = FULL_PAYLOADS.session_started;
  return draft("session_started", parent === undefined ? payload : { ...payload, parent });
}

function rowsOf(...drafts: NewEvent[]): UsageRow[] {
  return fold(usage(), ...drafts);
}

Deno.test("usage adds up tokens and cost by model and day", () => {
  const rows = rowsOf(
    user("p"),
    answer(
      { model: "m1", usage: { input: 1, output: 2 }, cost_usd: 0.25 },
      "2026-11-21T23:59:59.999Z",
    ),
    answer({ model: "m1", usage: { input: 10 } }, "2026-11-21T00:00:00.000Z"),
    answer({ model: "m2", usage: { reasoning: 4 } }, "2026-11-21T00:00:00.000Z"),
    answer({ model: "m1", usage: { input: 100 } }, "2026-11-22T00:00:00.000Z"),
  );
  assert.deepEqual(rows, [
    {
      day: "2026-11-21",
      model: "m1",
      messages: 2,
      usage: { input: 11, output: 2 },
      cost_usd: 0.25,
      unpriced: 1,
    },
    { day: "2026-11-21", model: "m2", messages: 1, usage: { reasoning: 4 } },
    { day: "2026-11-22", model: "m1", messages: 1, usage: { input: 100 }, unpriced: 1 },
  ]);
});

Deno.test("an answer without model and usage is counted as a message", () => {
  assert.deepEqual(rowsOf(answer({}, "2026-11-21T00:00:00.000Z")), [
    { day: "2026-11-21", model: "", messages: 1, usage: {} },
  ]);
});

Deno.test("a response in several events says its usage once", () => {
  const part = answer({ model: "m1", message_id: "r1", usage: { input: 5 } });
  const [row] = rowsOf(part, part, answer({ model: "m1", message_id: "r2", usage: { input: 1 } }));
  assert.deepEqual([row?.messages, row?.usage], [2, { input: 6 }]);
  const other = answer({ model: "m1", message_id: "r1", request_id: "q", usage: { input: 5 } });
  const more = answer({ model: "m1", message_id: "r1", usage: { input: 9 } });
  assert.deepEqual(rowsOf(part, more, other)[0]?.usage, { input: 14 });
});

Deno.test("does not count events that a fork copied", () => {
  const events = [answer({ usage: { input: 1 } }), answer({ usage: { input: 10 } })];
  const [forked] = rowsOf(header({ session_id: "p1", seq: 2 }), ...events);
  assert.deepEqual([forked?.messages, forked?.usage], [1, { input: 10 }]);
  const [own] = rowsOf(header(), ...events);
  assert.deepEqual([own?.messages, own?.usage], [2, { input: 11 }]);
  const [whole] = rowsOf(header({ session_id: "p1" }), ...events);
  assert.equal(whole?.messages, 2);
});

Deno.test("a session_started that was copied in says nothing of this session's parent", () => {
  const copied = header({ session_id: "p1", seq: 99 });
  const [row] = rowsOf(
    header(),
    answer({ usage: { input: 1 } }),
    copied,
    answer({ usage: { input: 2 } }),
  );
  assert.deepEqual([row?.messages, row?.usage], [2, { input: 3 }]);
});

Deno.test("does not count imported events that their source counts", () => {
  const imported = {
    ...answer({ usage: { input: 1 } }),
    source: { agent: "pi", session_id: "p1" },
  };
  const events = knownEvents([header(), imported, answer({ usage: { input: 10 } })]);
  const inputs = (countedElsewhere?: (source: EventSource) => boolean): unknown[] =>
    foldEvents(usage(countedElsewhere === undefined ? {} : { countedElsewhere }), events)
      .map((row) => row.usage.input);
  assert.deepEqual(inputs(), [11]);
  assert.deepEqual(inputs(({ agent, session_id }) => `${agent}:${session_id}` === "pi:p1"), [10]);
  assert.deepEqual(inputs(({ agent, session_id }) => `${agent}:${session_id}` === "pi:p2"), [11]);
});
