import type { Part, TextPart } from "../../../lib/core/event/message.ts";
import assert from "node:assert/strict";
import { textFor } from "../../../lib/core/event/audience.ts";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { tokensIn } from "../../../lib/features/handover/token_count.ts";
import { planHandover } from "../../../lib/features/handover/mod.ts";
import type { HandoverPlanOptions } from "../../../lib/features/handover/plan.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import type { SessionHandle } from "../../../lib/library/handle/session_handle.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { piAgent } from "../../../lib/agents/pi/pi_agent.ts";
import { piWriter } from "../../../lib/agents/pi/write/pi_writer.ts";
import { sealedHistory } from "../../../lib/core/event/sealed_history.ts";
import { partText } from "../../../lib/agents/engine/handed/line.ts";
import type { HandedMessage } from "../../../lib/agents/contract/session_writer.ts";
import {
  conversationIn,
  environmentOf,
  factsOfHanded,
  factsOfMessages,
  handedSession,
  PIXEL,
  writeSession,
} from "../../_support/handed_session.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { placeOf } from "../../_support/agent_place.ts";
import { draft } from "../../_support/event_line.ts";

const NOW = Date.parse("2027-01-01T00:00:00.000Z");
const TARGET = { agent: "pi" as const };

/** Runs a test with a session of ours that holds these events. */
async function withSession(
  events: readonly NewEvent[],
  test: (handle: SessionHandle, root: string) => Promise<void>,
): Promise<void> {
  await withDirectory(async (root) => {
    await using session = openLocalStore({ root }).create({ cwd: "/home/ada/work" });
    for (const event of events) await session.append(event);
    await session.finish();
    const library = openLibrary({ root, variable: () => undefined });
    await test(await library.open(session.id), root);
  });
}

async function handed(
  handle: SessionHandle,
  options: Partial<HandoverPlanOptions> = {},
): Promise<{ messages: HandedMessage[]; plan: Awaited<ReturnType<typeof planHandover>> }> {
  const plan = await planHandover(handle, TARGET, { now: NOW, ...options });
  return { plan, messages: await Array.fromAsync(plan.messages()) };
}

function user(content: string): NewEvent {
  return { kind: "user_message", payload: { content } };
}

function answer(content: string): NewEvent {
  return { kind: "assistant_message", payload: { content } };
}

function call(call_id: string, name: string, input: unknown, text = ""): NewEvent {
  const content = [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    { type: "tool_call" as const, call_id, name, input },
  ];
  return { kind: "assistant_message", payload: { content } };
}

function end(
  call_id: string,
  name: string,
  output: string,
  status: "ok" | "error" = "ok",
): NewEvent {
  return { kind: "tool_end", payload: { call_id, name, status, output } };
}

Deno.test("calls become those of the target's tools where one shape fits both", async () => {
  const events = [
    user("Go"),
    call("call_0", "Bash", { command: "ls", description: "List", timeout: 5000 }),
    end("call_0", "Bash", "a\n"),
    call("call_0", "Read", { file_path: "a.txt", limit: 5 }),
    end("call_0", "Read", "text"),
    call("x|é/", "mcp::tool é", "only a string"),
    end("x|é/", "mcp::tool é", "gave", "error"),
    answer("Done"),
  ];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    const calls = messages.flatMap((one) => one.role === "assistant" ? one.calls : []);
    assert.deepEqual(calls.map(({ name, input }) => ({ name, input })), [
      { name: "bash", input: { command: "ls" } },
      { name: "read", input: { path: "a.txt", limit: 5 } },
      { name: "mcp__tool__", input: { input: "only a string" } },
    ]);
    assert.equal(new Set(calls.map(({ id }) => id)).size, 3);
    assert.deepEqual(calls.map(({ failed }) => failed), [false, false, true]);
    assert.deepEqual(calls.map(({ original }) => original), [
      {
        id: "call_0",
        name: "Bash",
        status: "ok",
        input: { command: "ls", description: "List", timeout: 5000 },
      },
      { id: "call_0", name: "Read", status: "ok", input: { file_path: "a.txt", limit: 5 } },
      { id: "x|é/", name: "mcp::tool é", status: "error", input: "only a string" },
    ]);
    const { mapped, native, told, unanswered } = plan.tally;
    assert.deepEqual({ mapped, native, told, unanswered }, {
      mapped: 2,
      native: 1,
      told: 0,
      unanswered: 0,
    });
  });
});

Deno.test("native calls keep their names, and calls can be told in words", async () => {
  const events = [user("Go"), call("a", "Bash", { command: "ls" }), end("a", "Bash", "a.txt")];
  await withSession(events, async (handle) => {
    const native = await handed(handle, { tools: "native" });
    assert.deepEqual(factsOfHanded(native.messages).slice(1), [
      ["call", "Bash", '{"command":"ls"}'],
      ["result", "ok"],
      ["output", "a.txt"],
    ]);
    const told = await handed(handle, { tools: "text" });
    assert.deepEqual(factsOfHanded(told.messages).slice(1), [
      ["answer", '[Called Bash with {"command":"ls"}]'],
      ["user", "[Bash gave:]"],
      ["user", "a.txt"],
    ]);
    assert.equal(told.plan.tally.told, 1);
  });
});

Deno.test("answers that follow each other are one, and texts of white space are none", async () => {
  const events = [
    answer("Before anybody asked"),
    user("  \n"),
    answer("still"),
    user("Go"),
    answer("One."),
    answer(" \n"),
    call("a", "ls", {}, "Two."),
    end("a", "ls", ""),
    answer("Three."),
  ];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    const [first, ...rest] = factsOfHanded(messages);
    assert.deepEqual(first, [
      "user",
      `[This conversation continues the session reprise:${handle.id}.]`,
    ]);
    assert.deepEqual(rest, [
      ["answer", "Before anybody asked\n\nstill"],
      ["user", "Go"],
      ["answer", "One.\n\nTwo."],
      ["call", "ls", "{}"],
      ["result", "ok"],
      ["answer", "Three."],
    ]);
    assert.equal(plan.tally.empty, 1);
  });
});

Deno.test("a call without a result is told to have none, and what the user ran is the user's", async () => {
  const events: NewEvent[] = [
    user("Go"),
    call("a", "ls", {}),
    user("And?"),
    { kind: "bash_start", payload: { call_id: "u", command: "make", origin: "user" } },
    draft("bash_end", {
      call_id: "u",
      command: "make",
      status: "error",
      output: "bad",
      exit_code: 2,
    }),
    { kind: "assistant_interrupted", payload: { content: "A part", reason: "user" } },
  ];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    assert.deepEqual(factsOfHanded(messages), [
      ["user", "Go"],
      ["call", "ls", "{}"],
      ["result", "failed"],
      ["output", "No result was recorded: the call did not finish."],
      ["user", "And?"],
      ["user", "I ran `make`:\n\nbad\nexit code 2"],
      ["answer", "A part"],
    ]);
    assert.equal(plan.tally.unanswered, 1);
    assert.equal(plan.tally.native, 1);
  });
});

Deno.test("hidden content is left out and counted, a command's long form is not", async () => {
  const events: NewEvent[] = [
    { kind: "user_message", payload: { content: "You are a fish", role: "system" } },
    draft("user_message", { content: [{ type: "text", text: "<env>", audience: "model" }] }),
    draft("user_message", {
      content: [
        { type: "text", text: "<time>noon</time>", audience: "model" },
        { type: "text", text: "Hello" },
      ],
    }),
    draft("user_message", {
      content: [
        { type: "text", text: "/review", audience: "user" },
        { type: "text", text: "Review all of it", audience: "model" },
      ],
    }),
    answer("Yes"),
  ];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    assert.deepEqual(factsOfHanded(messages), [
      ["user", "Hello"],
      ["user", "Review all of it"],
      ["answer", "Yes"],
    ]);
    assert.equal(plan.tally.system, 1);
    assert.equal(plan.tally.environment, 2);
  });
});

Deno.test("files that the user mentioned go along behind the prompt", async () => {
  const hidden = (text: string, name?: string) => {
    const part = { type: "text" as const, text, audience: "model" as const };
    return name === undefined ? part : { ...part, name };
  };
  const told = (...content: Part[]): NewEvent => ({ kind: "user_message", payload: { content } });
  const events: NewEvent[] = [
    told(hidden("Called Read"), hidden("zebrafish", "/w/notes.txt")),
    user("Explain @notes.txt"),
    answer("A fish"),
    told({ type: "text", text: "And @b.txt?" }, hidden("axolotl", "b.txt")),
    answer("Another"),
    told(hidden("late", "c.txt")),
  ];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    assert.deepEqual(factsOfHanded(messages), [
      ["user", "Explain @notes.txt"],
      ["user", "Contents of /w/notes.txt:\n\nzebrafish"],
      ["answer", "A fish"],
      ["user", "And @b.txt?"],
      ["user", "Contents of b.txt:\n\naxolotl"],
      ["answer", "Another"],
    ]);
    assert.deepEqual([plan.tally.attached, plan.tally.environment], [2, 1]);
  });
});

Deno.test("the output of a command goes along behind the command, before the next prompt", async () => {
  const model = { type: "text" as const, audience: "model" as const };
  const command: Part[] = [{ ...model, text: "<command-name>" }, {
    type: "text",
    text: "/compact",
  }];
  const output = { ...model, text: "Compacted", name: "command output" };
  const events = [
    draft("user_message", { content: command }),
    draft("user_message", { content: [{ ...model, text: "<local-command-stdout>" }, output] }),
    user("Go on"),
  ];
  await withSession(events, async (handle) => {
    const said = factsOfHanded((await handed(handle)).messages);
    assert.deepEqual(said, [["user", "/compact"], ["user", "Compacted"], ["user", "Go on"]]);
  });
});

/** What agents send for the prompt "Fix it", each with a file of the editor. */
const MENTIONS = [
  "# Files mentioned by the user:\n\n## it: src/a.ts\n\n## My request for Codex:\nFix it\n",
  "# Context from my IDE setup:\n\n## Active file: src/a.ts\n## My request for Codex:\nFix it",
  "<ide_opened_file>The user opened src/a.ts.</ide_opened_file>Fix it",
  "<ide_selection>Lines 1 to 2 of src/a.ts:\nx</ide_selection>\nFix it",
  "Fix it\n\n<reminder>no</reminder>\n<tagged_files>\n* src/a.ts (3 lines)\n</tagged_files>",
  '<attachments>\n<attachment id="src/a.ts">x</attachment>\n</attachments>\nFix it',
  '<task>\nFix it\n</task>\n\n<file_content path="src/a.ts">\nx\n</file_content>',
  "Fix it<environment_details>\n# VSCode Open Tabs\nsrc/a.ts\n\n# noon</environment_details>",
  "Fix it<context>\nThe following items were attached by the user.\nsrc/a.ts\n</context>",
];

Deno.test("files of an editor go along, whichever agent names them", async () => {
  const events = MENTIONS.map((sent) =>
    draft("user_message", { content: textFor("Fix it", sent) })
  );
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    const texts = messages.map((one) => one.role === "user" ? one.parts.map(partText) : []);
    assert.deepEqual(texts.map(([prompt]) => prompt), MENTIONS.map(() => "Fix it"));
    for (const [, mention = ""] of texts) {
      assert.match(mention, /src\/a\.ts/);
      assert.doesNotMatch(mention, /My request|<ide_|noon|<reminder>/);
    }
    assert.deepEqual([plan.tally.attached, plan.tally.environment], [MENTIONS.length, 0]);
  });
});

Deno.test("skills and commands in full go along as notices, and what is left out is named", async () => {
  const hidden = (text: string): NewEvent =>
    draft("user_message", { content: [{ type: "text", text, audience: "model" }] });
  const skills = [
    "Base directory for this skill: /s\n\nRULE",
    "<skill>\n<name>a</name>\nRULE\n</skill>",
    "<system-reminder>\nThe following skills were invoked in this session. RULE",
  ];
  const others = ["<environment_context>\n</environment_context>", "Stay calm"];
  const command = textFor("/go now", "<command-name>/go</command-name><command-args>now");
  const events: NewEvent[] = [
    ...[user("Go"), ...[...skills, ...others].map(hidden), answer("Yes")],
    ...[draft("user_message", { content: command }), hidden("Go far, now"), answer("No")],
  ];
  await withSession(events, async (handle) => {
    const { messages, plan: { tally } } = await handed(handle);
    const texts = factsOfHanded(messages).map(([, text]) => String(text));
    const notices = texts.filter((text) => text.startsWith("["));
    const expected = [...skills, "Go far, now"];
    assert.deepEqual(notices.map((text) => text.replace(/^.*\n\n/, "")), expected);
    assert.deepEqual([tally.prompts, tally.notices, tally.environment], [2, 4, 2]);
    assert.deepEqual([...tally.hidden_names], ["environment context", "Stay calm"]);
  });
});

Deno.test("the user's commands are told in words, however their agent told the model", async () => {
  const events: NewEvent[] = [
    user("Go"),
    draft("bash_start", { call_id: "u", command: "git status", origin: "user", audience: "user" }),
    draft("bash_end", {
      call_id: "u",
      command: "git status",
      status: "error",
      output: "no",
      exit_code: 1,
    }),
    draft("user_message", {
      content: [{
        type: "text",
        text: "<user_shell>git status: no</user_shell>",
        audience: "model",
      }],
    }),
    draft("user_message", {
      content: [
        { type: "text", text: "! ls", audience: "user" },
        { type: "text", text: "<bash-input>ls</bash-input>", audience: "model" },
      ],
    }),
    answer("Yes"),
  ];
  await withSession(events, async (handle) => {
    const { messages } = await handed(handle);
    assert.deepEqual(factsOfHanded(messages), [
      ["user", "Go"],
      ["user", "I ran `git status`:\n\nno\nexit code 1"],
      ["user", "I ran `ls`:"],
      ["answer", "Yes"],
    ]);
  });
});

Deno.test("a hidden summary replaces messages that only the user has", async () => {
  const only = (audience: "user" | "model", text: string) => [
    { type: "text" as const, text, audience },
  ];
  const events: NewEvent[] = [
    { kind: "user_message", payload: { content: only("user", "one") } },
    { kind: "assistant_message", payload: { content: only("user", "answer one") } },
    { kind: "user_message", payload: { content: only("model", "a summary of one") } },
    user("two"),
    { kind: "user_message", payload: { content: only("model", "<environment>") } },
    answer("answer two"),
  ];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    assert.deepEqual(factsOfHanded(messages), [
      ["user", "a summary of one"],
      ["user", "two"],
      ["answer", "answer two"],
    ]);
    assert.equal(plan.tally.environment, 1);
  });
});

Deno.test("the conversation in force is handed over, with what its compaction keeps", async () => {
  const events: NewEvent[] = [
    user("Old"),
    answer("Gone"),
    user("Kept"),
    call("a", "ls", {}),
    end("a", "ls", "x"),
    { kind: "compaction_applied", payload: { status: "", summary: "Sum", first_kept_seq: 4 } },
    user("New"),
    answer("Yes"),
  ];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    const { messages: sent } = await handle.conversation();
    assert.equal(plan.compacted, true);
    assert.deepEqual(factsOfHanded(messages), factsOfMessages(sent));
    assert.deepEqual(factsOfHanded(messages).slice(0, 2), [["user", "Sum"], ["user", "Kept"]]);
  });
});

Deno.test("a task notification is handed over as a notice, and is no prompt", async () => {
  const told = "<task-notification>\n<summary>Done</summary>\n</task-notification>";
  const framed = textFor(
    told,
    `<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT]\nNo.\n\n${told}\n</system-reminder>`,
  ) as TextPart[];
  const messages = [{ role: "user" as const, content: framed }];
  const events: NewEvent[] = [
    { kind: "compaction_applied", payload: { status: "", messages } },
    user("Go"),
    answer("Going."),
    { kind: "user_message", payload: { content: framed } },
    answer("It is done."),
    user(told),
    answer("Again."),
  ];
  const notice = `[A background task reported this. The user did not type it.]\n\n${told}`;
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    assert.deepEqual(factsOfHanded(messages), [
      ["user", notice],
      ["user", "Go"],
      ["answer", "Going."],
      ["user", notice],
      ["answer", "It is done."],
      ["user", notice],
      ["answer", "Again."],
    ]);
    const { prompts, notices, turns, environment } = plan.tally;
    assert.deepEqual({ prompts, notices, turns, environment }, {
      prompts: 1,
      notices: 3,
      turns: 1,
      environment: 0,
    });
  });
});

Deno.test("a history that only its provider can read is named where it stood", async () => {
  const sealed = sealedHistory("compaction", "gAAAA");
  const messages = [
    { role: "user" as const, content: "First." },
    { role: "assistant" as const, ...sealed },
  ];
  const events: NewEvent[] = [
    { kind: "compaction_applied", payload: { status: "", messages } },
    user("Second."),
    answer("Two."),
  ];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    assert.deepEqual(factsOfHanded(messages), [
      ["user", "First."],
      [
        "user",
        "[The earlier answers and tool calls are encrypted: only their provider can read them. " +
        `To read them, see session reprise:${handle.id}.]`,
      ],
      ["user", "Second."],
      ["answer", "Two."],
    ]);
    const { prompts, notices, sealed } = plan.tally;
    assert.deepEqual({ prompts, notices, sealed }, { prompts: 2, notices: 1, sealed: 1 });
  });
});

Deno.test("a compaction that puts messages there puts no environment of its agent there", async () => {
  const base = [
    { role: "system" as const, content: "You are Codex" },
    {
      role: "user" as const,
      content: "<environment_context>\n<cwd>/</cwd>\n</environment_context>",
    },
    { role: "user" as const, content: "Sum" },
  ];
  const events: NewEvent[] = [
    user("Old"),
    { kind: "compaction_applied", payload: { status: "", messages: base } },
  ];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    assert.deepEqual(factsOfHanded(messages), [["user", "Sum"]]);
    assert.deepEqual([plan.tally.system, plan.tally.environment], [1, 1]);
  });
});

Deno.test("the last turns can be handed over alone, with a note that names the rest", async () => {
  const events = [
    ...[user("One"), call("a", "ls", {}), end("a", "ls", "x"), answer("1")],
    ...[user("Two"), user("more"), answer("2"), user("Three"), answer("3")],
  ];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle, { last: 2 });
    const [first, ...rest] = factsOfHanded(messages);
    assert.match(
      String(first?.[1]),
      /^\[The earlier messages .* see session reprise:[-0-9a-f]+\.\]$/,
    );
    assert.deepEqual(rest.map(([, text]) => text), ["Two", "more", "2", "Three", "3"]);
    assert.equal(plan.tally.native, 0);
    assert.equal(plan.tally.turns, 3);
    assert.equal(plan.title, "One");
    assert.deepEqual([plan.cut, (await handed(handle, { last: 3 })).plan.cut], [true, false]);
  });
});

Deno.test("times rise, and none is later than now", async () => {
  const events = [user("a"), answer("b"), user("c"), answer("d"), user("e")];
  await withSession(events, async (handle) => {
    const past = await handed(handle);
    for (const { messages } of [past, await handed(handle, { now: 1000 })]) {
      const times = messages.map(({ time }) => time);
      assert.ok(times.every((time, at) => at === 0 || time > (times[at - 1] ?? 0)), `${times}`);
    }
    const early = await handed(handle, { now: 1000 });
    assert.deepEqual(early.messages.map(({ time }) => time), [995, 996, 997, 998, 999]);
    assert.equal(early.plan.begun, 995);
    assert.ok(past.messages.every(({ time }) => time < NOW));
  });
});

Deno.test("the last answer alone has the estimate of the whole", async () => {
  const long = "word ".repeat(800);
  const events = [user(long), answer("b"), user("c"), answer("d"), user("e")];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    const totals = messages.flatMap((one) => one.role === "assistant" ? [one.total_tokens] : []);
    assert.deepEqual(totals, [undefined, plan.tokens]);
    assert.ok(plan.tokens > 700 && plan.tokens < 1000, `${plan.tokens}`);
  });
});

Deno.test("the estimate of tokens is within 15 % of a count", () => {
  const rows = Array.from({ length: 40 }, (_, at) => at);
  const file = (at: number): string =>
    `-rw-r--r-- 1 root root ${at * 977} Nov 28 22:${
      10 + at % 50
    } lib/features/handover/part_${at}.ts\n`;
  const texts: [text: string, counted: number][] = [
    ["A session begun in one agent goes on in another. It becomes a new session there.", 18],
    ["export function isDigit(code: number): boolean {\n  return code >= 0x30;\n}\n", 20],
    [
      JSON.stringify(rows.map((at) => ({ id: at * 7919, name: `item ${at}`, on: at % 2 === 0 }))),
      601,
    ],
    [rows.map(file).join(""), 1198],
  ];
  for (const [text, counted] of texts) {
    const share = tokensIn(text) / counted;
    assert.ok(share > 0.85 && share < 1.15, `${share}: ${text.slice(0, 40)}`);
  }
});

Deno.test("images go along whole, and files by their names", async () => {
  const image = { type: "image" as const, media_type: "image/png", sha256: "", bytes: 70 };
  const events: NewEvent[] = [draft("user_message", {
    content: [
      { type: "text", text: "See \ud800 this" },
      { ...image, data: PIXEL },
      { ...image, path: "/tmp/lost.png" },
    ],
  })];
  await withSession(events, async (handle) => {
    const { messages, plan } = await handed(handle);
    assert.deepEqual(factsOfHanded(messages), [
      ["user", "See \ufffd this"],
      ["user image", "image/png", PIXEL],
      ["user", "[image /tmp/lost.png (image/png): not handed over]"],
    ]);
    assert.deepEqual([plan.tally.images, plan.tally.attachments], [1, 1]);
  });
});

Deno.test("a session in which nothing was said is refused", async () => {
  for (const events of [[user("  ")], [user("")]]) {
    await withSession(events, async (handle) => {
      await assert.rejects(handed(handle), (error: unknown) => {
        assert.ok(error instanceof SessionError);
        assert.equal(error.code, "not-found");
        assert.match(error.message, /the session has no messages/);
        return true;
      });
    });
  }
});

Deno.test("the target's reader gives back the messages that were handed over", async () => {
  const events: NewEvent[] = [
    user("Go\u2028on"),
    call("call_0", "exec_command", { cmd: ["bash", "-lc", "ls"] }, "I look."),
    call("call_1", "odd name", { n: 1 }),
    end("call_1", "odd name", "", "error"),
    end("call_0", "exec_command", "a\nb"),
    answer("Done"),
    user("/again"),
  ];
  await withSession(events, async (handle, root) => {
    const { messages } = await handed(handle);
    const session = handedSession(piWriter, messages);
    const { placement } = await writeSession(piWriter, session, placeOf("pi", environmentOf(root)));
    const facts = factsOfHanded(messages);
    assert.ok(facts.some(([what, name]) => what === "call" && name === "bash"));
    assert.deepEqual(factsOfMessages(await conversationIn(piAgent, placement.path)), facts);
  });
});
