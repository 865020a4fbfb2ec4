import assert from "node:assert/strict";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import type { Message, Part } from "../../../../lib/core/event/message.ts";
import type { CompactionAppliedPayload } from "../../../../lib/core/event/payload.ts";
import { conversationKinds } from "../../../../lib/core/event/policy.ts";
import {
  type Conversation,
  conversation,
  isUsableCompaction,
} from "../../../../lib/core/projection/conversation/conversation.ts";
import { NOT_RUN_OUTPUT } from "../../../../lib/core/projection/conversation/paired_messages.ts";
import { foldEvents } from "../../../../lib/core/projection/projection.ts";
import { assistant, toolEnd, toolStart, user } from "../../../_support/log_bytes.ts";
import { draft, fold, knownEvents, unparsed } from "../../../_support/known_events.ts";

function compaction(payload: Partial<CompactionAppliedPayload>): NewEvent {
  return draft("compaction_applied", { status: "", ...payload });
}

function reasoning(content: string, message_id = "m1"): NewEvent {
  return draft("reasoning_message", { content, message_id, provider_data: { sig: "=" } });
}

const PROMPT: Message = { role: "user", content: "p" };

/** User texts of a conversation: short, for tests of what is kept. */
function texts(messages: readonly Message[]): unknown[] {
  return messages.map(({ content }) => content);
}

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

Deno.test("conversation holds what user and model said, in order", () => {
  const { messages, findings } = fold(
    conversation(),
    user("one"),
    draft("assistant_message", { content: "two" }),
    user("three"),
    draft("assistant_interrupted", { content: "fo", reason: "esc" }),
  );
  assert.deepEqual(messages, [
    { role: "user", content: "one" },
    { role: "assistant", content: "two" },
    { role: "user", content: "three" },
    { role: "assistant", content: "fo" },
  ]);
  assert.deepEqual(findings, []);
});

Deno.test("conversation leaves out what only people see", () => {
  const { messages } = fold(
    conversation(),
    draft("session_started", { session_id: "s", created_at: "", cwd: "/" }),
    draft("context_loaded", { sources: [] }),
    user("p"),
    draft("diff", { lines: [] }),
    draft("turn_failed", { reason: "error", message: "429" }),
    draft("session_renamed", { title: "t" }),
    draft("workspace_snapshot", { root: "/" }),
    draft("extension", { agent: "pi", type: "x", data: 1 }),
    draft("session_closed", { status: "completed" }),
  );
  assert.deepEqual(messages, [PROMPT]);
});

Deno.test("conversation keeps parts of a message as they are", () => {
  const content: Part[] = [
    { type: "text", text: "see" },
    { type: "image", media_type: "image/png", data: "AA==", sha256: "00", bytes: 1 },
  ];
  const prompt = draft("user_message", { content });
  assert.deepEqual(fold(conversation(), prompt).messages, [{ role: "user", content }]);
});

Deno.test("a compaction's messages replace everything before it", () => {
  const messages: Message[] = [{ role: "system", content: "s" }, {
    role: "user",
    content: "short",
  }];
  const folded = fold(conversation(), user("old"), compaction({ messages }), user("new"));
  assert.deepEqual(folded.messages, [...messages, { role: "user", content: "new" }]);
  assert.equal(folded.compaction_seq, 2);
});

Deno.test("a compaction with an empty list of messages empties the conversation", () => {
  const folded = fold(conversation(), user("old"), compaction({ messages: [] }));
  assert.deepEqual(folded.messages, []);
  assert.equal(folded.compaction_seq, 2);
  assert.deepEqual(folded.findings, []);
});

Deno.test("a compaction's messages win over its summary and first_kept_seq", () => {
  const messages: Message[] = [{ role: "user", content: "list" }];
  const both = compaction({ messages, summary: "words", first_kept_seq: 99 });
  const folded = fold(conversation(), user("old"), both);
  assert.deepEqual(folded.messages, messages);
  assert.deepEqual(folded.findings, []);
});

Deno.test("a compaction's summary becomes one user message, verbatim", () => {
  for (const summary of ["They said  hi.\n", ""]) {
    const folded = fold(conversation(), user("old"), compaction({ summary }), user("new"));
    assert.deepEqual(texts(folded.messages), [summary, "new"]);
    assert.equal(folded.messages[0]?.role, "user");
  }
});

Deno.test("a compaction that only tells of itself replaces nothing, whatever it says", () => {
  for (const payload of [{}, { summary: "words" }, { messages: [] }]) {
    const told = compaction({ ...payload, status_only: true });
    const folded = fold(conversation(), user("old"), told, user("new"));
    assert.deepEqual([texts(folded.messages), folded.findings], [["old", "new"], []]);
    assert.equal(folded.compaction_seq, undefined);
  }
});

Deno.test("a compaction keeps the events from first_kept_seq on", () => {
  const events = [user("1"), user("2"), user("3"), compaction({ summary: "s", first_kept_seq: 2 })];
  const folded = fold(conversation(), ...events, user("5"));
  assert.deepEqual(texts(folded.messages), ["s", "2", "3", "5"]);
});

Deno.test("first_kept_seq may name an event of any kind, parsed or not", () => {
  const [one, , three, four] = knownEvents([
    user("1"),
    user("gap"),
    user("3"),
    compaction({ summary: "s", first_kept_seq: 2 }),
  ]);
  assert.ok(one && three && four);
  const folded = foldEvents(conversation(), [one, unparsed(2), three, four]);
  assert.deepEqual(texts(folded.messages), ["s", "3"]);
  assert.deepEqual(folded.findings, []);
});

Deno.test("compactions among the kept events are passed over", () => {
  const folded = fold(
    conversation(),
    user("1"),
    compaction({ messages: [{ role: "user", content: "first" }] }),
    user("3"),
    compaction({ summary: "second", first_kept_seq: 1 }),
  );
  assert.deepEqual(texts(folded.messages), ["second", "1", "3"]);
  assert.equal(folded.compaction_seq, 4);
});

Deno.test("an invalid compaction is reported, and the one before it stays in force", () => {
  const invalid: Partial<CompactionAppliedPayload>[] = [
    {},
    { first_kept_seq: 1 },
    { summary: "x", first_kept_seq: 0 },
    { summary: "x", first_kept_seq: -1 },
    { summary: "x", first_kept_seq: 2.5 },
    { summary: "x", first_kept_seq: 4 },
    { summary: "x", first_kept_seq: 99 },
  ];
  for (const payload of invalid) {
    const folded = fold(
      conversation(),
      user("old"),
      compaction({ summary: "valid" }),
      user("kept"),
      compaction(payload),
      user("new"),
    );
    assert.deepEqual(texts(folded.messages), ["valid", "kept", "new"], JSON.stringify(payload));
    assert.equal(folded.compaction_seq, 2);
    assert.deepEqual(folded.findings.map(({ code, seq }) => [code, seq]), [
      ["invalid-compaction", 4],
    ]);
  }
});

Deno.test("an invalid compaction without one before it leaves the whole log", () => {
  const folded = fold(conversation(), user("1"), compaction({}), user("3"));
  assert.deepEqual(texts(folded.messages), ["1", "3"]);
  assert.equal("compaction_seq" in folded, false);
});

Deno.test("first_kept_seq in a gap of the log names no event", () => {
  const [one, two] = knownEvents([user("1"), user("2")]);
  const [kept, cut] = knownEvents([user("9"), compaction({ summary: "s", first_kept_seq: 5 })], 9);
  assert.ok(one && two && kept && cut);
  const folded = foldEvents(conversation(), [one, two, kept, cut]);
  assert.deepEqual(texts(folded.messages), ["1", "2", "9"]);
  assert.equal(
    folded.findings[0]?.detail,
    "first_kept_seq of this compaction is 5, but no event before the compaction has this number",
  );
});

Deno.test("first_kept_seq of a number that was used twice means the later one", () => {
  const first = knownEvents([user("a1"), user("a2")]);
  const second = knownEvents([user("b2"), compaction({ summary: "s", first_kept_seq: 2 })], 2);
  const folded = foldEvents(conversation(), [...first, ...second]);
  assert.deepEqual(texts(folded.messages), ["s", "b2"]);
});

Deno.test("isUsableCompaction asks for messages or a summary", () => {
  assert.equal(isUsableCompaction({ status: "", messages: [] }), true);
  assert.equal(isUsableCompaction({ status: "", summary: "" }), true);
  assert.equal(isUsableCompaction({ status: "done", first_kept_seq: 1 }), false);
});

Deno.test("call pairs that a compaction split are repaired", () => {
  const orphaned = fold(
    conversation(),
    user("p"),
    toolStart("c1"),
    user("q"),
    toolEnd("c1", "result of what is gone"),
    compaction({ summary: "s", first_kept_seq: 3 }),
    user("new"),
  );
  assert.deepEqual(texts(orphaned.messages), ["s", "q", "new"]);
  assert.deepEqual(orphaned.findings.map(({ code }) => code), ["orphan-settlement"]);

  const cut = compaction({
    messages: [{
      role: "assistant",
      content: [{ type: "tool_call", call_id: "c1", name: "read", input: {} }],
    }],
  });
  const unsettled = fold(conversation(), user("p"), cut, user("new"));
  assert.deepEqual(unsettled.messages.map(({ role }) => role), ["assistant", "tool", "user"]);
});

Deno.test("every call has exactly one result right after its message", () => {
  const { messages, findings } = fold(
    conversation(),
    user("p"),
    assistant("on it"),
    toolStart("c1"),
    toolStart("c2"),
    user("wait"),
    toolEnd("c2", "two"),
    toolEnd("c9", "orphan"),
  );
  assert.deepEqual(messages, [
    PROMPT,
    {
      role: "assistant",
      content: [
        { type: "text", text: "on it" },
        { type: "tool_call", call_id: "c1", name: "read_file", input: { path: "a.ts" } },
        { type: "tool_call", call_id: "c2", name: "read_file", input: { path: "a.ts" } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool_result",
          call_id: "c1",
          name: "read_file",
          status: "error",
          output: NOT_RUN_OUTPUT,
        },
        { type: "tool_result", call_id: "c2", name: "read_file", status: "ok", output: "two" },
      ],
    },
    { role: "user", content: "wait" },
  ]);
  assert.deepEqual(findings.map(({ code, seq }) => [code, seq]), [
    ["unsettled-call", 3],
    ["orphan-settlement", 7],
  ]);
});

Deno.test("tools omit leaves user and assistant texts, and drops empty ones", () => {
  const events = [
    user("p"),
    draft("assistant_message", { content: "" }),
    toolStart("c1"),
    toolEnd("c1"),
    draft("assistant_message", {
      content: [{ type: "reasoning", text: "hm" }, { type: "text", text: "done" }],
    }),
    draft("user_message", {
      content: [{ type: "file", media_type: "text/plain", path: "a", sha256: "", bytes: 1 }],
    }),
  ];
  const { messages, findings } = fold(conversation({ tools: "omit" }), ...events);
  assert.deepEqual(messages, [PROMPT, { role: "assistant", content: "done" }]);
  assert.deepEqual(findings, []);
  assert.equal(fold(conversation(), ...events).messages.length, 5);
});

Deno.test("reasoning is left out by default, and given back whole on request", () => {
  const part: Part = { type: "reasoning", text: "in the text", provider_data: 1 };
  const events = [
    user("p"),
    reasoning("hm"),
    draft("assistant_message", {
      content: [part, { type: "text", text: "hi" }],
      message_id: "m1",
    }),
  ];
  assert.deepEqual(fold(conversation(), ...events).messages, [
    PROMPT,
    { role: "assistant", content: "hi" },
  ]);
  assert.deepEqual(fold(conversation({ reasoning: "include" }), ...events).messages, [
    PROMPT,
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", provider_data: { sig: "=" } },
        part,
        { type: "text", text: "hi" },
      ],
    },
  ]);
});

Deno.test("reasoning in a compaction's messages is left out by default as well", () => {
  const cut = compaction({
    messages: [
      { role: "assistant", content: [{ type: "reasoning", text: "only" }] },
      {
        role: "assistant",
        content: [{ type: "reasoning", text: "r" }, { type: "text", text: "t" }],
      },
    ],
  });
  assert.deepEqual(fold(conversation(), cut).messages, [{ role: "assistant", content: "t" }]);
  assert.equal(fold(conversation({ reasoning: "include" }), cut).messages.length, 2);
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

Deno.test("partial takes on trust what is named from before its first event", () => {
  const events = knownEvents([
    user("8"),
    compaction({ summary: "s", first_kept_seq: 3 }),
    user("10"),
  ], 8);
  assert.deepEqual(texts(foldEvents(conversation({ partial: true }), events).messages), [
    "s",
    "8",
    "10",
  ]);
  assert.deepEqual(texts(foldEvents(conversation(), events).messages), ["8", "10"]);
});

Deno.test("conversation may be asked for its result at any time", () => {
  const projection = conversation();
  let state = projection.initial();
  const sizes: number[] = [];
  for (const event of knownEvents([user("1"), user("2"), compaction({ messages: [] })])) {
    state = projection.apply(state, event);
    sizes.push(projection.result(state).messages.length);
  }
  assert.deepEqual(sizes, [1, 2, 0]);
});

Deno.test("the model gets what it was told in the user's name", () => {
  const { messages } = fold(
    conversation(),
    draft("user_message", { content: [{ type: "text", text: "Be brief.", audience: "model" }] }),
    user("Now"),
  );
  assert.deepEqual(messages, [
    { role: "user", content: "Be brief." },
    { role: "user", content: "Now" },
  ]);
});

Deno.test("the model gets the parts that are for it and for both, and texts that continue as one", () => {
  const { messages } = fold(
    conversation({ reasoning: "include" }),
    draft("user_message", {
      content: [
        { type: "text", text: "<time>\n", audience: "model" },
        { type: "text", text: "Hello", continues: true },
        { type: "text", text: " (edited)", audience: "user" },
      ],
    }),
    draft("user_message", { content: [{ type: "text", text: "/model", audience: "user" }] }),
    draft("assistant_message", { content: [{ type: "text", text: "No", audience: "user" }] }),
    draft("reasoning_message", { content: "Hm", audience: "user" }),
    draft("assistant_message", {
      content: [{ type: "tool_call", call_id: "c1", name: "read", input: {}, audience: "user" }],
    }),
    draft("tool_end", { call_id: "c1", name: "read", status: "ok", output: "seen" }),
    draft("compaction_applied", { status: "", summary: "s", first_kept_seq: 1 }),
    draft("assistant_message", {
      content: [{ type: "text", text: "Yes", audience: "model" }, { type: "text", text: "!" }],
    }),
  );
  assert.deepEqual(messages, [
    { role: "user", content: "s" },
    { role: "user", content: "<time>\nHello" },
    { role: "assistant", content: [{ type: "text", text: "Yes" }, { type: "text", text: "!" }] },
  ]);
});

Deno.test("conversation_replaced replaces all before it, and is no compaction", () => {
  const replaced = draft("conversation_replaced", {
    messages: [{
      role: "user",
      content: [
        { type: "text", text: "edited" },
        { type: "text", text: "shown", audience: "user" },
      ],
    }],
    reason: "history edited",
  });
  const folded = fold(
    conversation(),
    user("1"),
    compaction({ summary: "s" }),
    replaced,
    user("4"),
  );
  assert.deepEqual(texts(folded.messages), ["edited", "4"]);
  assert.deepEqual([folded.compaction_seq, folded.replaced_seq], [undefined, 3]);
  const later = fold(
    conversation(),
    user("1"),
    replaced,
    compaction({ summary: "s", first_kept_seq: 1 }),
  );
  assert.deepEqual(texts(later.messages), ["s", "1"]);
  assert.deepEqual([later.compaction_seq, later.replaced_seq], [3, undefined]);
});

Deno.test("a call without a result gets the sentence of the head, in compactions too", () => {
  const call = { type: "tool_call" as const, call_id: "c1", name: "read", input: {} };
  const head = draft("session_started", {
    session_id: "s",
    created_at: "2026-11-21T20:21:53.123Z",
    cwd: "/",
    unanswered_call: "aborted",
  });
  const begun = draft("assistant_message", {
    content: [{ type: "tool_call", call_id: "c2", name: "read", input: {} }],
  });
  const messages = [{ role: "assistant" as const, content: [call] }];
  const events = [head, compaction({ messages }), begun];
  const outputs = (folded: Conversation) =>
    folded.messages.flatMap(({ content }) => typeof content === "string" ? [] : content)
      .flatMap((part) => part.type === "tool_result" ? [part.output] : []);
  assert.deepEqual(outputs(fold(conversation(), ...events)), ["aborted", "aborted"]);
  const rest = knownEvents(events.slice(1), 2);
  const partial = conversation({ partial: true, unanswered_call: "cut" });
  assert.deepEqual(outputs(foldEvents(partial, rest)), ["cut", "cut"]);
});

Deno.test("a cut inside a response counts from its line, with and without tools", () => {
  const events = [
    user("before"),
    draft("assistant_message", {
      content: [
        { type: "text", text: "I read." },
        { type: "tool_call", call_id: "c1", name: "read", input: {} },
      ],
    }),
    draft("tool_start", { call_id: "c1" }),
    toolEnd("c1"),
    draft("workspace_snapshot", { root: "/" }),
    user("after"),
  ];
  const kept = (first_kept_seq: number, tools: "include" | "omit"): string[] => {
    const drafts = [...events, compaction({ summary: "so far", first_kept_seq })];
    const { messages } = fold(conversation({ tools }), ...drafts);
    return messages.map(({ role, content }) => typeof content === "string" ? content : role);
  };
  for (const seq of [2, 3, 4, 5]) {
    assert.deepEqual(kept(seq, "include"), ["so far", "assistant", "tool", "after"], `${seq}`);
    assert.deepEqual(kept(seq, "omit"), ["so far", "I read.", "after"], `${seq}`);
  }
  assert.deepEqual(kept(6, "include"), ["so far", "after"]);
  assert.deepEqual(kept(6, "omit"), ["so far", "after"]);
});

Deno.test("a second start of an open call, as after a crash, is no finding", () => {
  const answer = draft("assistant_message", {
    content: [{ type: "tool_call", call_id: "c1", name: "read", input: {} }],
  });
  const start = draft("tool_start", { call_id: "c1" });
  const { findings } = fold(conversation(), user("Go"), answer, start, start, toolEnd("c1"));
  assert.deepEqual(findings, []);
  const orphan = fold(conversation(), user("Go"), start).findings;
  assert.deepEqual(orphan.map(({ code }) => code), ["orphan-settlement"]);
});

Deno.test("an answer that only records a cost does not end a failure", () => {
  const failed = draft("turn_failed", { reason: "cancelled", message: "stopped" });
  const cost = draft("assistant_message", { content: "", cost_usd: 0.5 });
  const kept = compaction({ summary: "so far", first_kept_seq: 1 });
  const after = (...events: NewEvent[]): unknown[] => {
    const { failed, error } = fold(conversation(), user("Go"), ...events);
    return [failed, error];
  };
  assert.deepEqual(after(failed, cost, kept), ["cancelled", "stopped"]);
  assert.deepEqual(after(failed, cost, assistant("Done.")), [undefined, undefined]);
});
