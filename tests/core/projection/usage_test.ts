import assert from "node:assert/strict";
import type { EventSource, NewEvent } from "../../../lib/core/event/envelope.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { usage } from "../../_support/usage.ts";
import { draft, knownEvents } from "../../_support/known_events.ts";

function answer(input: number): NewEvent {
  return draft("assistant_message", { content: "a", usage: { input } });
}

Deno.test("does not count imported events that their source counts", () => {
  const imported = { ...answer(1), source: { agent: "pi", session_id: "p1" } };
  const events = knownEvents([imported, answer(10)]);
  const inputs = (countedElsewhere?: (source: EventSource) => boolean): unknown[] =>
    foldEvents(usage(countedElsewhere === undefined ? {} : { countedElsewhere }), events)
      .map((row) => row.usage.input);
  assert.deepEqual(inputs(), [11]);
  assert.deepEqual(inputs(({ agent, session_id }) => `${agent}:${session_id}` === "pi:p1"), [10]);
  assert.deepEqual(inputs(({ agent, session_id }) => `${agent}:${session_id}` === "pi:p2"), [11]);
});
