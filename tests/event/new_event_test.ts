import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/event/envelope.ts";

Deno.test("new events have no told: the audience of a part says what the model gets", () => {
  // @ts-expect-error Only older logs have it.
  const old: NewEvent = { kind: "user_message", payload: { content: "/review", told: "Review" } };
  const parts = [
    { type: "text" as const, text: "/review", audience: "user" as const },
    { type: "text" as const, text: "Review", audience: "model" as const },
  ];
  const event: NewEvent = { kind: "user_message", payload: { content: parts } };
  assert.equal(old.kind, event.kind);
});
