/** How a chat of Gemini CLI is read, and what Gemini CLI would send of it. */
import assert from "node:assert/strict";
import type { LogEvent } from "../../../lib/event/envelope.ts";
import { geminiAgent } from "../../../lib/agents/gemini/gemini_agent.ts";
import { SessionError } from "../../../lib/event/session_error.ts";
import { conversation } from "../../../lib/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/projection/projection.ts";
import { summary } from "../../../lib/projection/summary.ts";
import { usage, usageRows } from "../../_support/usage.ts";
import {
  type AgentHome,
  type AgentRead,
  locateAll,
  makeHome,
  payloadsOf,
  responseParts,
} from "../../_support/agent_contract.ts";
import { inShort } from "../_in_short.ts";
import { Reading } from "../_reading.ts";
import { fixture, GEMINI_FILES } from "./_gemini_home.ts";
import { tempFile } from "../../_support/temp_file.ts";
import { outputText } from "../../../lib/event/audience.ts";
import { isFault } from "../../../lib/log/diagnostic.ts";
import { recordingsBelow, sampleUrl, testRecorded } from "../../_support/samples.ts";

const gemini = new Reading(geminiAgent);

async function readFixture(name: string, branch?: string): Promise<AgentRead> {
  const session = await gemini.only(fixture(name).pathname);
  return await gemini.read(session, branch === undefined ? {} : { thread: branch });
}

function said({ events }: AgentRead): unknown[] {
  return inShort(foldEvents(conversation(), events).messages);
}

Deno.test("a message that is written again is shown once, and its result is given once", async () => {
  const read = await readFixture("fresh.jsonl");
  assert.deepEqual(said(read), [
    ["user", "Run it."],
    ["assistant", ["text", "tool_call"]],
    ["tool", ["tool_result"]],
    ["assistant", "It failed."],
  ]);
  assert.deepEqual(payloadsOf(read.events, "bash_end"), [{
    call_id: "c1",
    command: "echo one; false",
    output: [
      { type: "text", text: "<untrusted_context>\nOutput: ", audience: "model" },
      { type: "text", text: "one", continues: true },
      {
        type: "text",
        text: "\nExit Code: 1\nProcess Group PGID: 13826\n</untrusted_context>",
        audience: "model",
        continues: true,
      },
    ],
    exit_code: 1,
    status: "error",
  }]);
  assert.deepEqual(responseParts(read.events, "reasoning"), [
    { type: "reasoning", text: "**Plan** Run the command.", audience: "user" },
  ]);
  const [row] = foldEvents(usage(), read.events);
  // Thoughts are billed as output; what came from the cache is within the prompt.
  assert.equal(row?.messages, 2);
  assert.deepEqual(row?.usage, {
    input: 16,
    output: 12,
    cache_read: 4,
    cache_write: 0,
    reasoning: 2,
  });
  assert.equal(foldEvents(summary(), read.events).title, "A command that fails");
  assert.ok(read.account.dead > 0, "the earlier version of the message");
});

Deno.test("a resume begins the chat anew, with the words that it stores then", async () => {
  const session = await gemini.only(fixture("resumed.jsonl").pathname);
  const { messages, findings } = await gemini.conversation(session);
  assert.deepEqual(inShort(messages), [
    ["user", "First."],
    ["assistant", ["text", "tool_call"]],
    ["tool", ["tool_result"]],
    ["user", "Second."],
    ["assistant", "Two."],
  ]);
  assert.deepEqual(findings, []);
});

Deno.test("a rewind takes back a message and all behind it; it can be asked for", async () => {
  const live = [
    ["user", "Keep this."],
    ["assistant", "Kept."],
    ["user", "Instead."],
    ["assistant", "Done."],
  ];
  assert.deepEqual(said(await readFixture("rewound.jsonl")), live);
  for (const branch of ["u2", "g2"]) {
    const other = await readFixture("rewound.jsonl", branch);
    assert.deepEqual(said(other), [
      ...live.slice(0, 2),
      ["user", "Drop this."],
      ["assistant", "Dropped."],
    ]);
    assert.ok(other.account.dead > 0);
  }
  assert.deepEqual(said(await readFixture("rewound.jsonl", "g3")), live);
  await assert.rejects(
    () => readFixture("rewound.jsonl", "nowhere"),
    (error) => error instanceof SessionError && error.code === "not-found",
  );
});

Deno.test("a rewind to a message that is not there takes back all", async () => {
  const text = gemini.text("rewound.jsonl");
  using file = tempFile(
    "chat.jsonl",
    text.replace('{"$rewindTo":"u2"}', '{"$rewindTo":"nowhere"}'),
  );
  const read = await gemini.read(await gemini.only(file.path));
  assert.deepEqual(said(read), [["user", "Instead."], ["assistant", "Done."]]);
});

Deno.test("messages that Gemini CLI does not send are kept beside the conversation", async () => {
  const read = await readFixture("not_sent.jsonl");
  assert.deepEqual(said(read), [
    ["user", "Try."],
    // Of two calls the one without a result is left out, and thoughts are everywhere.
    ["assistant", ["tool_call"]],
    ["tool", ["tool_result"]],
    ["user", "Again."],
  ]);
  assert.deepEqual(payloadsOf(read.events, "extension"), []);
  const notices = payloadsOf(read.events, "notice");
  assert.deepEqual(notices.map(({ audience, title }) => [audience, title]), [
    ["user", "command"],
    ["user", "warning"],
    ["model", "hook context"],
    ["user", "command"],
  ]);
  assert.deepEqual(payloadsOf(read.events, "turn_failed").map(({ reason }) => reason), [
    "cancelled",
    "error",
  ]);
  assert.deepEqual(payloadsOf(read.events, "tool_end").map(({ status }) => status), ["skipped"]);
});

Deno.test("a call without id and result ends as its status says, and is not sent", async () => {
  const call = { name: "read_file", displayName: "ReadFile", args: { file_path: "main.go" } };
  const calls = ["success", "error", "executing"].map((status) => ({ ...call, status }));
  const time = "2024-01-01T10:00:05Z";
  using file = tempFile(
    "chat.json",
    JSON.stringify({
      sessionId: "5f0c9f0e-3f0c-4a6e-8a52-0c9e3f6b1a2d",
      projectHash: "abc",
      startTime: time,
      lastUpdated: time,
      messages: [
        { id: "u1", timestamp: time, type: "user", content: "Read." },
        { id: "a1", timestamp: time, type: "gemini", content: "Reading.", toolCalls: calls },
      ],
    }),
  );
  const read = await gemini.read(await gemini.only(file.path));
  assert.equal(responseParts(read.events, "tool_call").length, 3);
  const ends = payloadsOf(read.events, "tool_end").map(({ status }) => status);
  assert.deepEqual(ends, ["ok", "error"]);
  assert.deepEqual(said(read), [["user", "Read."], ["assistant", "Reading."]]);
});

Deno.test("images are attachments, edits are diffs, and the rest is kept", async () => {
  const { events } = await readFixture("images.jsonl");
  const [asked] = payloadsOf(events, "user_message");
  const shown = payloadsOf(events, "tool_end").flatMap(({ output }) =>
    typeof output === "object" ? output : []
  );
  assert.ok(typeof asked?.content === "object");
  // What was typed is shown; what it stood for was sent.
  assert.deepEqual(
    asked.content.map((part) => part.type === "text" ? [part.text, part.audience] : part.type),
    [["Look at @x.png", "user"], ["Look at this.", "model"], "image"],
  );
  assert.deepEqual(shown.map(({ type }) => type), ["text", "image"]);
  assert.deepEqual(payloadsOf(events, "diff"), [{
    call_id: "c1",
    path: "/w/a.ts",
    lines: [
      { kind: "hunk", content: "@@ -1,1 +1,1 @@" },
      { kind: "removed", old: 1, content: "one" },
      { kind: "added", new: 1, content: "two" },
    ],
  }]);
  assert.deepEqual(payloadsOf(events, "extension").map(({ type }) => type), [
    "parts",
    "message",
  ]);
});

Deno.test("the directory of a chat is the one that its hash is of", async () => {
  await using home = await makeHome(GEMINI_FILES);
  const sessions = await locateAll(geminiAgent, home.environment);
  const rows = await Promise.all(sessions.map((session) => gemini.summary(session)));
  assert.equal(rows.filter((row) => row?.cwd === "/home/ada/src/ledger").length, 6);
});

Deno.test("a sub-agent's chat is a thread of its parent, and a session where that is gone", async () => {
  const [parent, agent] = [1, 7].map((last) => `f8a6a0fd-0000-4000-8000-00000000000${last}`);
  await using home = await makeHome(GEMINI_FILES);
  const sessions = await locateAll(geminiAgent, home.environment);
  const session = sessions.find(({ id }) => id === parent);
  assert.ok(session !== undefined && agent !== undefined);
  const threads = await geminiAgent.open(session).threads();
  assert.deepEqual(
    threads?.map(({ id, kind, parent, title, records }) => [id, kind, parent, title, records]),
    [
      ["main", "main", undefined, undefined, 5],
      [agent, "subagent", { thread: "main" }, "Look it up.", 2],
    ],
  );
  assert.deepEqual(threads?.[1]?.usage, {
    input: 8,
    output: 6,
    cache_read: 2,
    cache_write: 0,
    reasoning: 1,
  });
  const { events } = await gemini.read(session, { thread: agent });
  assert.deepEqual(payloadsOf(events, "assistant_message")[0]?.content, "Found.");
  assert.deepEqual(payloadsOf(events, "session_started")[0]?.parent, {
    session_id: parent,
    reason: "subagent",
  });
  await Deno.remove(session.path);
  const left = await locateAll(geminiAgent, home.environment);
  assert.ok(left.some(({ id }) => id === agent));
});

Deno.test("rewound messages are a thread, named by the first of them", async () => {
  const session = await gemini.only(fixture("rewound.jsonl").pathname);
  const threads = await geminiAgent.open(session).threads();
  assert.deepEqual(threads?.map(({ id, kind, title, records }) => [id, kind, title, records]), [
    ["main", "main", undefined, 4],
    ["u2", "replaced", "Drop this.", 2],
  ]);
  const { events } = await gemini.read(session, { thread: "u2" });
  assert.deepEqual(
    payloadsOf(events, "user_message").map(({ content }) => content),
    ["Keep this.", "Drop this."],
  );
});

Deno.test("the stub of a resume is passed over among files with one id", async () => {
  const [head = ""] = (gemini.text("fresh.jsonl")).split("\n");
  await using home = await makeHome({
    ...GEMINI_FILES,
    ".gemini/tmp/ledger/chats/session-2026-03-09T09-01-f8a6a0fd.jsonl": head + "\n",
  });
  const id = "f8a6a0fd-0000-4000-8000-000000000001";
  const found = (await locateAll(geminiAgent, home.environment)).filter((one) => one.id === id);
  assert.equal(found.length, 1);
  assert.match(found[0]?.path ?? "", /2026-03-01T09-01/);
});

/** A home in which an old version kept a sub-agent's chat under the id of the user's. */
async function homeOfOneId(): Promise<AgentHome> {
  const chat = JSON.parse(gemini.text("document.json"));
  const answer = { id: "s2", timestamp: "2025-11-01T10:05:02.000Z", type: "gemini" };
  const own = {
    ...chat,
    startTime: "2025-11-01T10:05:00.000Z",
    messages: [
      { id: "s1", timestamp: "2025-11-01T10:05:01.000Z", type: "user", content: "Your task." },
      { ...answer, content: "Done. ".repeat(9000), tokens: { input: 7, output: 3, cached: 0 } },
    ],
  };
  const chats = ".gemini/tmp/ledger/chats/session-2025-11-01T10";
  return await makeHome({
    ".gemini/tmp/ledger/.project_root": "/home/ada/src/ledger",
    [`${chats}-00-f8a6a0fd.json`]: JSON.stringify(chat),
    [`${chats}-05-f8a6a0fd.json`]: JSON.stringify(own),
  });
}

Deno.test("the user's chat is the session, and other files with its id are threads", async () => {
  await using home = await homeOfOneId();
  const [session, ...more] = await locateAll(geminiAgent, home.environment);
  assert.ok(session !== undefined);
  assert.deepEqual(more, []);
  assert.match(session.path, /T10-00/);
  const id = "session-2025-11-01T10-05-f8a6a0fd";
  const threads = await geminiAgent.open(session).threads();
  assert.deepEqual(
    threads?.map(({ id, kind, parent, records }) => [id, kind, parent, records]).slice(1),
    [[id, "subagent", { thread: "main" }, 2]],
  );
  assert.equal(
    (await gemini.payloads(session, "user_message", { thread: id }))[0]?.content,
    "Your task.",
  );
  const told = (await Array.fromAsync(geminiAgent.open(session).usage())).flat();
  assert.deepEqual(told.filter(({ thread }) => thread === id).map(({ usage }) => usage.input), [7]);
  const files = (await geminiAgent.open(session).files())?.paths;
  assert.equal(files?.length, 2);
});

Deno.test("messages that a resume wrote again without tokens are counted", async () => {
  const session = await gemini.only(fixture("resumed.jsonl").pathname);
  const told = (await Array.fromAsync(geminiAgent.open(session).usage())).flat();
  assert.deepEqual(usageRows(told).map(({ messages, usage }) => [messages, usage.input]), [[
    2,
    16,
  ]]);
});

Deno.test("a large chat is summarized from its edges", async () => {
  const lines = (gemini.text("rewound.jsonl")).trim().split("\n");
  const [head = "", first = ""] = lines;
  const answer = (index: number): string =>
    JSON.stringify({ id: `a${index}`, type: "gemini", content: "x".repeat(9000) });
  const middle = Array.from({ length: 100 }, (_, index) => answer(index));
  using file = tempFile(
    "chat.jsonl",
    [head, first, ...middle, ...lines.slice(-3)].join("\n") + "\n",
  );
  const session = await gemini.only(file.path);
  const row = await gemini.summary(session);
  const folded = foldEvents(summary(), (await gemini.read(session)).events);
  for (const field of ["title", "first_user_message", "last_user_message", "updated_at"] as const) {
    assert.equal(row?.[field], folded[field], field);
  }
  assert.equal(row?.message_count, undefined, "the middle was not read");
});

Deno.test("files that a prompt refers to are attached to it, and sent as they were", async () => {
  const session = await gemini.only(fixture("references.jsonl").pathname);
  const items = await gemini.transcript(session);
  const shown = items.map((item) =>
    item.type === "attached"
      ? [item.name, item.content]
      : item.type === "notice"
      ? [item.title, item.text]
      : [item.type, item.type === "message" && item.content]
  );
  assert.deepEqual(shown, [
    ["session", false],
    ["message", "Explain @/home/dev/notes.txt and @b.txt"],
    ["notes.txt", "The zebrafish is striped."],
    ["b.txt", "The axolotl\nis not."],
    ["message", "Both are animals."],
    ["message", "And @c.txt?"],
    ["c.txt", "A pangolin."],
    ["info", "Response stopped due to a malformed function call."],
    ["message", "That too."],
  ]);
  const messages = await gemini.messages(session);
  assert.deepEqual(messages.filter(({ role }) => role === "user").map(({ content }) => content), [
    "Explain @notes.txt and @b.txt\n--- Content from referenced files ---" +
    "\nContent from @notes.txt:\nThe zebrafish is striped.\nContent from @b.txt:\n" +
    "The axolotl\nis not.\n--- End of content ---",
    "And @c.txt?\n--- Content from referenced files ---\nContent from @c.txt:\nA pangolin." +
    "\n--- End of content ---",
  ]);
});

/** A chat of many turns, in which the last lines change earlier ones. */
async function withChat(
  last: readonly object[],
  run: (path: string) => Promise<void>,
): Promise<void> {
  const turn = (at: number): object[] => [
    { id: `u${at}`, type: "user", content: `Prompt ${at}.` },
    { id: `g${at}`, type: "gemini", content: "x".repeat(2000) },
  ];
  const head = { sessionId: "s", projectHash: "p", startTime: "2026-03-01T09:00:00.000Z" };
  const records = [head, ...Array.from({ length: 100 }, (_, at) => turn(at)).flat(), ...last];
  using file = tempFile(
    "chat.jsonl",
    records.map((record) => JSON.stringify(record)).join("\n") + "\n",
  );
  await run(file.path);
}

Deno.test("the end of a chat is that of the messages that stand, where they stand", async () => {
  const last = [
    { id: "g3", type: "gemini", content: "Written again, in its place." },
    { $rewindTo: "u98" },
    { id: "u100", type: "user", content: "Instead." },
    { id: "g100", type: "gemini", content: "calling", toolCalls: [{ name: "read", result: "a" }] },
    { id: "g101", type: "gemini", content: "again", toolCalls: [{ name: "read", result: "b" }] },
  ];
  await withChat(last, async (path) => {
    const session = await gemini.only(path);
    const { events } = await gemini.read(session);
    const end = await geminiAgent.open(session).readTail({ messages: 5 });
    assert.deepEqual(
      payloadsOf(end, "user_message").map(({ content }) => content),
      ["Prompt 97.", "Instead."],
    );
    const unnumbered = (all: readonly LogEvent[]): unknown =>
      all.map(({ seq: _, ...event }) => event);
    assert.deepEqual(unnumbered(end), unnumbered(events.slice(-end.length)));
    // A call without an id is named by its message, so that an end gives it the same one.
    assert.deepEqual(payloadsOf(end, "tool_end").map(({ call_id }) => call_id), [
      "read_g100_1",
      "read_g101_1",
    ]);
  });
});

Deno.test("places hold for the chat as it was opened, also when it is rewound meanwhile", async () => {
  await withChat([], async (path) => {
    const session = await gemini.only(path);
    const reading = await geminiAgent.open(session).openReading({});
    const all: LogEvent[] = [];
    for await (const { events } of reading?.from() ?? []) all.push(...events);
    await Deno.writeTextFile(path, JSON.stringify({ $rewindTo: "u2" }) + "\n", { append: true });
    const again: LogEvent[] = [];
    for await (const { events } of reading?.from() ?? []) again.push(...events);
    assert.deepEqual(again, all);
    assert.equal((await gemini.read(session)).events.length, 5);
  });
});

const SAMPLES = sampleUrl("gemini-cli/");

const FILES = recordingsBelow(SAMPLES.pathname, /\.jsonl?$/)
  .filter((path) => !/(?:projects|schema_drift)[^/]*$/.test(path));

testRecorded(
  "each sample of Gemini CLI is read whole, and providers take its conversation",
  SAMPLES,
  async () => {
    assert.ok(FILES.length >= 10);
    for (const pathname of FILES) {
      assert.ok(geminiAgent.recognize(pathname, await Deno.readFile(pathname)), pathname);
      const session = await gemini.only(pathname);
      const { events, found, account } = await gemini.read(session);
      assert.equal(account.total, Deno.statSync(pathname).size, pathname);
      const faults = found.filter(({ code }) => isFault(code));
      assert.equal(faults.length, pathname.endsWith("foreign-accepted-minimal.jsonl") ? 1 : 0);
      assert.ok(events.length > 0 && events.every(({ form }) => form === "known"));
      const { messages, findings } = await gemini.conversation(session);
      assert.deepEqual(findings.filter(({ code }) => code === "orphan-settlement"), []);
      assert.deepEqual(await gemini.accepted(session), messages);
    }
  },
);

testRecorded("the chat that Gemini CLI 0.61 resumed holds each turn once", SAMPLES, async () => {
  const path = new URL("self-generated-0.61.0/resumed-same-minute.jsonl", SAMPLES).pathname;
  const session = await gemini.only(path);
  const { messages } = await gemini.conversation(session);
  assert.deepEqual(inShort(messages), [
    ["user", "USETOOL please ünïcode"],
    ["assistant", ["text", "tool_call"]],
    ["tool", ["tool_result"]],
    ["assistant", "mock reply 7 ünï"],
    ["user", "second turn"],
    ["assistant", "mock reply 8 ünï"],
  ]);
  const { events, account } = await gemini.read(session);
  assert.deepEqual(
    payloadsOf(events, "bash_end").map(({ output = "" }) => outputText(output, "user")),
    ["one ✓"],
  );
  assert.equal(payloadsOf(events, "session_started")[0]?.cwd, "/home/dev/src/cc-proj");
  assert.ok(account.dead > 0);
});
