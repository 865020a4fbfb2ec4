import assert from "node:assert/strict";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { decodeEvent } from "../../../lib/core/event/decode.ts";
import { present } from "../../../lib/core/event/present.ts";
import { contextOf, type SessionContext } from "../../../lib/core/projection/context.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { assistant, toolEnd, toolStart, user } from "../../_support/log_bytes.ts";

function read(events: readonly NewEvent[]): Parameters<typeof foldEvents>[1] {
  return events.flatMap((event, at) => decodeEvent({ seq: at + 1, ...event }) ?? []);
}

function contextAfter(events: readonly NewEvent[]): SessionContext {
  return foldEvents(contextOf(), [...read(events)]);
}

function tokensOf({ shares }: Pick<SessionContext, "shares">): Record<string, number> {
  return Object.fromEntries(shares.map(({ kind, tokens }) => [kind, tokens]));
}

function compaction(summary: string, first_kept_seq?: number): NewEvent {
  return { kind: "compaction_applied", payload: present({ status: "", summary, first_kept_seq }) };
}

Deno.test("the context is told by what it is, four characters a token", () => {
  const content = [
    { type: "text" as const, text: "a".repeat(40) },
    { type: "text" as const, text: "<system-reminder>\nnow\n</system-reminder>" },
    { type: "text" as const, text: "b".repeat(400), name: "src/a.ts", audience: "model" as const },
  ];
  const context = contextAfter([
    { kind: "user_message", payload: { content } },
    assistant("c".repeat(20)),
    toolStart("c1", { path: "x" }),
    toolEnd("c1", "d".repeat(80)),
  ]);
  const { prompt, attachment, reminder, answer, result } = tokensOf(context);
  assert.deepEqual({ prompt, attachment, reminder, answer, result }, {
    prompt: 10,
    attachment: 100,
    reminder: 1,
    answer: 5,
    result: 20,
  });
  assert.deepEqual(context.dropped, []);
});

Deno.test("a compaction drops what is before it, but for what it keeps", () => {
  const context = contextAfter([
    user("a".repeat(40)),
    assistant("b".repeat(40)),
    user("c".repeat(400)),
    compaction("d".repeat(8), 3),
    assistant("e".repeat(4)),
  ]);
  assert.equal(context.messages, 3);
  assert.equal(tokensOf(context).prompt, 100);
  const [dropped] = context.dropped;
  assert.deepEqual(
    [dropped?.seq, dropped?.from_seq, dropped?.to_seq, dropped?.messages, dropped?.tokens],
    [4, 1, 3, 2, 20],
  );
});

Deno.test("a later compaction drops the earlier summary too", () => {
  const { dropped } = contextAfter([
    user("a".repeat(40)),
    compaction("one"),
    user("b".repeat(4)),
    { kind: "conversation_replaced", payload: { messages: [], reason: "cleared" } },
  ]);
  assert.deepEqual(dropped.map(({ number, reason }) => [number, reason]), [
    [1, "compaction"],
    [2, "replacement"],
  ]);
  assert.deepEqual(Object.keys(tokensOf(dropped[1] ?? { shares: [] })), ["summary", "prompt"]);
});

Deno.test("a compaction without effect drops nothing", () => {
  const { dropped, messages } = contextAfter([
    user("hi"),
    { kind: "compaction_applied", payload: { status: "compacted", status_only: true } },
    compaction("names no event", 99),
  ]);
  assert.deepEqual([dropped.length, messages], [0, 1]);
});

Deno.test("the last recorded request is told, with the window that the agent records", () => {
  const usage = { input: 10, cache_read: 90, output: 7 };
  const context = contextAfter([
    user("hi"),
    { kind: "assistant_message", payload: { content: "yes", usage } },
    { kind: "workspace_snapshot", payload: { root: "/", context_limit: 200_000 } },
  ]);
  assert.equal(context.recorded_tokens, 100);
  assert.equal(context.recorded_seq, 2);
  assert.equal(context.window_tokens, 200_000);
});

Deno.test("a sum of requests is no request, and after a compaction its size counts", () => {
  const usage = { input: 10, cache_read: 90, output: 7 };
  const answer = (more: object): NewEvent => (
    { kind: "assistant_message", payload: { content: "yes", usage, ...more } }
  );
  const compacted = (tokens_after?: number): NewEvent => {
    const payload = { status: "", messages: [], ...(tokens_after && { tokens_after }) };
    return { kind: "compaction_applied", payload };
  };
  const cases: [NewEvent[], unknown[]][] = [
    [[answer({ last_prompt_tokens: 60 })], [60, undefined]],
    [[answer({ usage_of: "turn" })], [100, "turn"]],
    [[answer({ usage_of: "turn" }), answer({})], [100, undefined]],
    [[answer({ usage_of: "session" })], [undefined, undefined]],
    [[answer({}), compacted(30)], [30, "compaction"]],
    [[answer({}), compacted()], [undefined, undefined]],
  ];
  for (const [events, expected] of cases) {
    const { recorded_tokens, recorded_as } = contextAfter([user("hi"), ...events]);
    assert.deepEqual([recorded_tokens, recorded_as], expected);
  }
});

/** Prompts of one word each, with compactions that keep from some prompt on. */
function randomTalk(seed: number): NewEvent[] {
  const random = mulberry32(seed);
  return Array.from({ length: 60 }, (_, at): NewEvent => {
    const drawn = random();
    if (drawn > 0.12) return user(`word${at}`);
    const kept = drawn > 0.06 ? 1 + Math.floor(random() * at) : undefined;
    return compaction(`summary${at}`, kept);
  });
}

Deno.test("the context in force has as many messages as the conversation, whatever was dropped", () => {
  for (let seed = 0; seed < 200; seed++) {
    const events = randomTalk(seed);
    const sent = foldEvents(conversation(), read(events)).messages;
    const context = contextAfter(events);
    assert.equal(context.messages, sent.length, `seed ${seed}`);
    for (const { from_seq, to_seq, seq } of context.dropped) {
      assert.ok(from_seq <= to_seq && to_seq <= seq, `seed ${seed}`);
    }
  }
});
