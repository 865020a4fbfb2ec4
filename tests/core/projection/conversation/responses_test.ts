import assert from "node:assert/strict";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import type { Message, Part, ToolCallPart } from "../../../../lib/core/event/message.ts";
import { buildMessages } from "../../../../lib/core/projection/conversation/responses.ts";
import {
  NOT_RUN_OUTPUT,
  UNSETTLED_OUTPUT,
} from "../../../../lib/core/projection/conversation/paired_messages.ts";
import { draft, knownEvents } from "../../../_support/known_events.ts";

function text(content: string, message_id?: string): NewEvent {
  return draft(
    "assistant_message",
    message_id === undefined ? { content } : { content, message_id },
  );
}

function reasoning(content: string, message_id?: string): NewEvent {
  return draft(
    "reasoning_message",
    message_id === undefined ? { content } : { content, message_id },
  );
}

function start(call_id: string, message_id?: string): NewEvent {
  const content: Part[] = [{ type: "tool_call", call_id, name: "read", input: {} }];
  return draft(
    "assistant_message",
    message_id === undefined ? { content } : { content, message_id },
  );
}

function end(call_id: string, output = `out ${call_id}`): NewEvent {
  return draft("tool_end", { call_id, name: "read", status: "ok", output });
}

/** Messages in short: text as it is, calls as `>id`, results as `<id:output`. */
function outline(messages: readonly Message[]): string[] {
  return messages.map(({ role, content }) => {
    if (typeof content === "string") return `${role} ${content}`;
    const parts = content.map((part) => {
      if (part.type === "tool_call") return `>${part.call_id}`;
      if (part.type === "tool_result") return `<${part.call_id}:${part.output}`;
      return part.type === "text" || part.type === "reasoning" ? part.text : part.type;
    });
    return `${role} ${parts.join(" ")}`;
  });
}

function built(...drafts: NewEvent[]): string[] {
  return outline(buildMessages(knownEvents(drafts)).messages);
}

function declares(...ids: string[]): NewEvent {
  return draft("assistant_message", { content: ids.map(declared), message_id: "m1" });
}

function declared(call_id: string): ToolCallPart {
  return { type: "tool_call", call_id, name: "read", input: {} };
}

function begins(call_id: string): NewEvent {
  return draft("tool_start", { call_id });
}

Deno.test("a response that declares its calls has them where it says them", () => {
  const response = draft("assistant_message", {
    content: [
      { type: "reasoning", text: "r" },
      declared("c1"),
      { type: "text", text: "between" },
      declared("c2"),
    ],
  });
  assert.deepEqual(built(response, begins("c2"), end("c2"), begins("c1"), end("c1")), [
    "assistant r >c1 between >c2",
    "tool <c1:out c1 <c2:out c2",
  ]);
});

Deno.test("declared calls without an end did not finish if they began, else were not run", () => {
  assert.deepEqual(built(declares("c1", "c2", "c3"), begins("c1"), begins("c2"), end("c1")), [
    "assistant >c1 >c2 >c3",
    `tool <c1:out c1 <c2:${UNSETTLED_OUTPUT} <c3:${NOT_RUN_OUTPUT}`,
  ]);
  const { findings } = buildMessages(knownEvents([declares("c1", "c2"), begins("c1")]));
  assert.deepEqual(findings.map(({ code }) => code), ["unsettled-call", "unsettled-call"]);
});

Deno.test("an end settles the latest declaration of its id that has none", () => {
  assert.deepEqual(
    built(declares("c1"), end("c1", "one"), text("so"), declares("c1"), end("c1", "two")),
    ["assistant >c1 >c1", "tool <c1:one <c1:two", "assistant so"],
  );
});

Deno.test("a start that no response declares adds nothing, and is found", () => {
  const { messages, findings } = buildMessages(knownEvents([text("hi"), begins("c9")]));
  assert.deepEqual(outline(messages), ["assistant hi"]);
  assert.deepEqual(findings.map(({ code }) => code), ["orphan-settlement"]);
});

Deno.test("a call that only the user saw is in no message, and its end is no orphan", () => {
  const shown: ToolCallPart = { ...declared("c1"), audience: "user" };
  const response = draft("assistant_message", {
    content: [{ type: "text", text: "look" }, shown],
  });
  const { messages, findings } = buildMessages(knownEvents([response, begins("c1"), end("c1")]));
  assert.deepEqual(outline(messages), ["assistant look"]);
  assert.deepEqual(findings, []);
});

Deno.test("events of one message_id are one message, wherever they stand", () => {
  assert.deepEqual(
    built(reasoning("r", "m1"), text("", "m1"), start("c1", "m1"), end("c1"), text("t", "m1")),
    ["assistant r >c1 t", "tool <c1:out c1"],
  );
});

Deno.test("calls of one message_id are parallel: their results stand in the order of the calls", () => {
  assert.deepEqual(
    built(text("go", "m1"), start("c1", "m1"), start("c2", "m1"), end("c2"), end("c1")),
    ["assistant go >c1 >c2", "tool <c1:out c1 <c2:out c2"],
  );
});

Deno.test("a call without an id joins the last response until a result came", () => {
  assert.deepEqual(
    built(text("go"), start("c1"), start("c2"), end("c1"), end("c2"), start("c3"), end("c3")),
    ["assistant go >c1 >c2", "tool <c1:out c1 <c2:out c2", "assistant >c3", "tool <c3:out c3"],
  );
});

Deno.test("a call without an id does not join a response from before the user spoke", () => {
  const prompt = draft("user_message", { content: "and?" });
  assert.deepEqual(built(text("hi"), prompt, start("c1"), end("c1")), [
    "assistant hi",
    "user and?",
    "assistant >c1",
    "tool <c1:out c1",
  ]);
});

Deno.test("reasoning without an id waits for the next text", () => {
  assert.deepEqual(built(reasoning("r"), text("t")), ["assistant r t"]);
  assert.deepEqual(built(reasoning("r"), text("t", "m1"), start("c1", "m1"), end("c1")), [
    "assistant r t >c1",
    "tool <c1:out c1",
  ]);
  assert.deepEqual(built(text("a"), text("b")), ["assistant a", "assistant b"]);
});

Deno.test("an end settles the latest unsettled start of its id", () => {
  assert.deepEqual(
    built(start("c1", "m1"), start("c1", "m2"), end("c1", "second"), end("c1", "first")),
    ["assistant >c1", "tool <c1:first", "assistant >c1", "tool <c1:second"],
  );
});

Deno.test("an id that is used again after its settlement is another call", () => {
  assert.deepEqual(
    built(start("c1", "m1"), end("c1", "one"), start("c1", "m2"), end("c1", "two")),
    ["assistant >c1", "tool <c1:one", "assistant >c1", "tool <c1:two"],
  );
});

Deno.test("a result has the name of its call", () => {
  const renamed = draft("tool_end", { call_id: "c1", name: "other", status: "ok" });
  const [, tool] = buildMessages(knownEvents([start("c1"), renamed])).messages;
  assert.deepEqual(tool?.content, [
    { type: "tool_result", call_id: "c1", name: "read", status: "ok", output: "" },
  ]);
});

Deno.test("the model gets parts, or else output, error and an exit code other than 0", () => {
  const bash = { call_id: "b1", command: "ls" };
  const cases: [NewEvent, string][] = [
    [draft("bash_end", { ...bash, status: "ok", output: "a", exit_code: 0 }), "a"],
    [
      draft("bash_end", { ...bash, status: "error", output: "a", error: "b", exit_code: 2 }),
      "a\nb\nexit code 2",
    ],
    [draft("bash_end", { ...bash, status: "interrupted", error: "" }), ""],
    [draft("tool_end", { call_id: "b1", name: "x", status: "error", error: "no" }), "no"],
    [
      draft("bash_end", {
        ...bash,
        status: "error",
        output: [
          { type: "text", text: "Exit 2\n", audience: "model" },
          { type: "text", text: "a", continues: true },
          { type: "text", text: "b", audience: "user" },
        ],
        error: "e",
        exit_code: 2,
      }),
      "Exit 2\na",
    ],
    [draft("bash_end", { ...bash, status: "ok", output: [], exit_code: 2 }), ""],
  ];
  for (const [settlement, output] of cases) {
    const part = {
      type: "tool_call",
      call_id: "b1",
      name: "bash",
      input: { command: "ls" },
    } as const;
    const begun = draft("assistant_message", { content: [part] });
    const [call, result] = buildMessages(knownEvents([begun, settlement])).messages;
    assert.deepEqual(call?.content, [
      { type: "tool_call", call_id: "b1", name: "bash", input: { command: "ls" } },
    ]);
    assert.deepEqual(outline(result === undefined ? [] : [result]), [`tool <b1:${output}`]);
  }
});

Deno.test("a command of the user is a response of its own", () => {
  const own = draft("bash_start", { call_id: "b1", command: "ls", origin: "user" });
  const done = draft("bash_end", { call_id: "b1", command: "ls", status: "ok", output: "a" });
  assert.deepEqual(built(text("hi"), own, start("c1"), done, end("c1")), [
    "assistant hi",
    "assistant >b1",
    "tool <b1:a",
    "assistant >c1",
    "tool <c1:out c1",
  ]);
});

Deno.test("messages without content are left out", () => {
  assert.deepEqual(built(text(""), text("", "m1"), text("t")), ["assistant t"]);
});

Deno.test("findings name orphans and unsettled calls in the order of the log", () => {
  const unsettled = { code: "unsettled-call", began: false };
  const { findings } = buildMessages(knownEvents([start("c1"), end("c2"), start("c3")]));
  assert.deepEqual(findings, [
    { ...unsettled, seq: 1, detail: "read c1 did not finish", call_id: "c1" },
    { code: "orphan-settlement", seq: 2, detail: "read c2 has no start" },
    { ...unsettled, seq: 3, detail: "read c3 did not finish", call_id: "c3" },
  ]);
});

Deno.test("a shell call keeps its own name and input", () => {
  const { messages } = buildMessages(knownEvents([
    draft("assistant_message", {
      content: [{ type: "tool_call", call_id: "c1", name: "shell", input: { command: ["ls"] } }],
    }),
    draft("bash_end", {
      call_id: "c1",
      command: "ls",
      status: "error",
      output: [{ type: "text", text: "a!", audience: "model" }],
      exit_code: 2,
    }),
  ]));
  assert.deepEqual(messages, [
    {
      role: "assistant",
      content: [{ type: "tool_call", call_id: "c1", name: "shell", input: { command: ["ls"] } }],
    },
    {
      role: "tool",
      content: [{
        type: "tool_result",
        call_id: "c1",
        name: "shell",
        status: "error",
        output: "a!",
      }],
    },
  ]);
});

Deno.test("system messages stand in their place", () => {
  const { messages } = buildMessages(knownEvents([
    draft("user_message", { content: "Hi." }),
    draft("user_message", { content: "Be brief.", role: "system" }),
    text("Hello."),
  ]));
  assert.deepEqual(messages, [
    { role: "user", content: "Hi." },
    { role: "system", content: "Be brief." },
    { role: "assistant", content: "Hello." },
  ]);
});

Deno.test("a response of calls alone, without an id, joins the last one until a result came", () => {
  const calls = (...ids: string[]): NewEvent =>
    draft("assistant_message", {
      content: ids.map((call_id) => ({ type: "tool_call", call_id, name: "read", input: {} })),
    });
  assert.deepEqual(built(text("I read."), calls("a"), calls("b"), end("a"), calls("c"), end("c")), [
    "assistant I read. >a >b",
    `tool <a:out a <b:${NOT_RUN_OUTPUT}`,
    "assistant >c",
    "tool <c:out c",
  ]);
});
