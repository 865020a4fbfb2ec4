import assert from "node:assert/strict";
import type { Part } from "../../../../lib/core/event/message.ts";
import { conversationKinds } from "../../../../lib/core/event/policy.ts";
import {
  conversation,
  isUsableCompaction,
} from "../../../../lib/core/projection/conversation/conversation.ts";
import { user } from "../../../_support/log_bytes.ts";
import { draft, knownEvents } from "../../../_support/known_events.ts";

Deno.test("conversation holds no calls and no reasoning that it omits", () => {
  const content: Part[] = [
    { type: "reasoning", text: "thought" },
    { type: "text", text: "said" },
    { type: "tool_call", call_id: "c1", name: "read", input: { path: "called" } },
  ];
  const events = knownEvents([user("p"), draft("assistant_message", { content })]);
  for (const omits of [{ tools: "omit" }, { reasoning: "omit" }] as const) {
    const projection = conversation({ tools: "include", reasoning: "include", ...omits });
    const held = JSON.stringify(
      events.reduce((state, event) => projection.apply(state, event), projection.initial()),
    );
    assert.equal(held.includes("said"), true);
    assert.equal(held.includes("called"), !("tools" in omits));
    assert.equal(held.includes("thought"), !("reasoning" in omits));
  }
});

Deno.test("isUsableCompaction asks for messages or a summary", () => {
  assert.equal(isUsableCompaction({ status: "", messages: [] }), true);
  assert.equal(isUsableCompaction({ status: "", summary: "" }), true);
  assert.equal(isUsableCompaction({ status: "done", first_kept_seq: 1 }), false);
});

Deno.test("conversation needs the kinds that its options ask for", () => {
  const usual = new Set([...conversationKinds(true, false), "session_started", "turn_failed"]);
  assert.deepEqual(conversation().needs, usual);
  const all = conversation({ reasoning: "include" }).needs;
  assert.ok(all.has("reasoning_message") && all.has("bash_end"));
  const least = conversation({ tools: "omit" }).needs;
  assert.deepEqual([...least].sort(), [
    "assistant_interrupted",
    "assistant_message",
    "compaction_applied",
    "conversation_branched",
    "conversation_replaced",
    "session_started",
    "turn_failed",
    "user_message",
  ]);
});

Deno.test("conversation may be asked for its result at any time", () => {
  const projection = conversation();
  let state = projection.initial();
  const sizes: number[] = [];
  const compaction = draft("compaction_applied", { status: "", messages: [] });
  for (const event of knownEvents([user("1"), user("2"), compaction])) {
    state = projection.apply(state, event);
    sizes.push(projection.result(state).messages.length);
  }
  assert.deepEqual(sizes, [1, 2, 0]);
});
