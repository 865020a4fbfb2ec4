import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import { contentText, type Message } from "../../../../lib/core/event/message.ts";
import { conversation } from "../../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../../lib/core/projection/projection.ts";
import {
  RunningConversation,
  type SentMessage,
} from "../../../../lib/core/projection/conversation/running_conversation.ts";
import { draft, knownEvents } from "../../../_support/known_events.ts";
import { compactionDraft, eventDraft } from "../../../_support/random_log.ts";
import { ALL_TORTURE } from "../../../_support/torture.ts";

const ALL = { tools: "include", reasoning: "include" } as const;
const anyDraft = fc.oneof({ weight: 8, arbitrary: eventDraft }, compactionDraft);

function withoutPlaces({ seq: _, end_seq: __, summary: ___, ...message }: SentMessage): object {
  return message;
}

/** The texts of user and assistant. */
function texts(messages: readonly Message[]): Message[] {
  return messages.flatMap(({ role, content }) => {
    const text = role === "tool" ? "" : contentText(content);
    return text === "" ? [] : [{ role, content: text }];
  });
}

function running(...drafts: NewEvent[]): RunningConversation {
  const fold = new RunningConversation();
  for (const event of knownEvents(drafts)) fold.add(event);
  return fold;
}

Deno.test("after every event it is what a fold of the whole log gives, whatever the events", () => {
  fc.assert(
    fc.property(fc.array(anyDraft, { maxLength: 24 }), (drafts) => {
      const events = knownEvents(drafts);
      const fold = new RunningConversation();
      for (const [index, event] of events.entries()) {
        fold.add(event);
        const whole = foldEvents(conversation(ALL), events.slice(0, index + 1));
        const { messages, ...rest } = fold.conversation();
        const given = { messages: messages.map(withoutPlaces), ...rest };
        assert.deepEqual(JSON.parse(JSON.stringify(given)), JSON.parse(JSON.stringify(whole)));
        const omitted = fold.conversation({ tools: "omit", reasoning: "omit" }).messages;
        assert.deepEqual(omitted.map(withoutPlaces), texts(fold.conversation().messages));
      }
    }),
    { numRuns: ALL_TORTURE ? 300 : 75 },
  );
});

Deno.test("a returned conversation stays as it was, whatever is appended", () => {
  fc.assert(
    fc.property(fc.array(anyDraft, { maxLength: 16 }), (drafts) => {
      const fold = new RunningConversation();
      const given: { value: unknown; text: string }[] = [];
      for (const event of knownEvents(drafts)) {
        fold.add(event);
        const value = fold.conversation();
        given.push({ value, text: JSON.stringify(value) });
      }
      for (const { value, text } of given) assert.equal(JSON.stringify(value), text);
    }),
  );
});

Deno.test("messages name the events that they are made of", () => {
  const { messages } = running(
    draft("user_message", { content: "read both" }),
    draft("assistant_message", {
      content: ["c1", "c2"].map((call_id) => (
        { type: "tool_call" as const, call_id, name: "read", input: {} }
      )),
    }),
    draft("tool_start", { call_id: "c2" }),
    draft("tool_end", { call_id: "c2", name: "read", status: "ok", output: "2" }),
    draft("tool_end", { call_id: "c1", name: "read", status: "ok", output: "1" }),
    draft("assistant_message", { content: "so" }),
  ).conversation();
  assert.deepEqual(messages.map(({ role, seq, end_seq }) => [role, seq, end_seq]), [
    ["user", 1, 1],
    ["assistant", 2, 2],
    ["tool", 4, 5],
    ["assistant", 6, 6],
  ]);
});

Deno.test("messages that replace earlier ones name the compaction", () => {
  const { messages } = running(
    draft("user_message", { content: "hi" }),
    draft("assistant_message", { content: "hello" }),
    draft("compaction_applied", { status: "", summary: "greeted", first_kept_seq: 2 }),
    draft("user_message", { content: "go on" }),
  ).conversation();
  assert.deepEqual(messages.map(({ content, seq }) => [content, seq]), [
    ["greeted", 3],
    ["hello", 2],
    ["go on", 4],
  ]);
});
