import assert from "node:assert/strict";
import type { EventKind } from "../../../lib/core/event/payload.ts";
import {
  conversationKinds,
  EVENT_KINDS,
  isBoundary,
  isEventKind,
  isHeld,
  SUMMARY_KINDS,
  TRANSCRIPT_KINDS,
  USAGE_KINDS,
} from "../../../lib/core/event/policy.ts";
import { FULL_PAYLOADS } from "../../_support/every_kind.ts";

/**
 * The table of the format, kind by kind. Columns: held, boundary, transcript, summary, usage, and
 * the conversations (always, with calls, with reasoning) that need it.
 */
const TABLE: Record<EventKind, string> = {
  session_started: "held boundary transcript summary usage",
  context_loaded: "held transcript",
  user_message: "boundary transcript summary always calls reasoning",
  assistant_message: "boundary transcript summary usage always calls reasoning",
  assistant_interrupted: "boundary transcript summary always calls reasoning",
  reasoning_message: "transcript reasoning",
  tool_start: "transcript calls",
  tool_end: "boundary transcript calls",
  bash_start: "transcript calls",
  bash_end: "boundary transcript calls",
  diff: "transcript",
  compaction_applied: "boundary transcript always calls reasoning",
  conversation_replaced: "boundary transcript always calls reasoning",
  conversation_branched: "boundary transcript always calls reasoning",
  turn_failed: "boundary transcript summary",
  notice: "transcript summary",
  session_renamed: "held summary",
  session_archived: "summary",
  event_labeled: "",
  workspace_snapshot: "held",
  session_checkpoint: "summary",
  session_closed: "boundary transcript summary",
  extension: "",
};

Deno.test("the policy decides on every kind as the format's table says", () => {
  const conversations = {
    always: conversationKinds(false, false),
    calls: conversationKinds(true, false),
    reasoning: conversationKinds(false, true),
  };
  for (const kind of EVENT_KINDS) {
    const decided = [
      isHeld(kind) && "held",
      isBoundary(kind) && "boundary",
      TRANSCRIPT_KINDS.has(kind) && "transcript",
      SUMMARY_KINDS.has(kind) && "summary",
      USAGE_KINDS.has(kind) && "usage",
      conversations.always.has(kind) && "always",
      conversations.calls.has(kind) && "calls",
      conversations.reasoning.has(kind) && "reasoning",
    ].filter((word) => word !== false);
    assert.equal(decided.join(" "), TABLE[kind], kind);
  }
});

Deno.test("the policy knows each kind once, in the order of the format's table", () => {
  assert.deepEqual(EVENT_KINDS, Object.keys(TABLE));
  assert.deepEqual(EVENT_KINDS, Object.keys(FULL_PAYLOADS));
  assert.equal(new Set(EVENT_KINDS).size, 23);
});

Deno.test("isEventKind takes exact names only", () => {
  for (const kind of EVENT_KINDS) {
    assert.equal(isEventKind(kind), true);
    assert.equal(isEventKind(kind.toUpperCase()), false);
    assert.equal(isEventKind(`${kind} `), false);
  }
  for (const name of ["", "toString", "__proto__", "constructor", "hologram"]) {
    assert.equal(isEventKind(name), false);
  }
});

Deno.test("a conversation with calls and reasoning needs the kinds of both", () => {
  const both = new Set([...conversationKinds(true, false), ...conversationKinds(false, true)]);
  assert.deepEqual(conversationKinds(true, true), both);
});

Deno.test("kinds that create a session are not held, so that no event waits for ever", () => {
  const held = EVENT_KINDS.filter(isHeld);
  assert.deepEqual(held, [
    "session_started",
    "context_loaded",
    "session_renamed",
    "workspace_snapshot",
  ]);
});
