import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { LogEvent } from "../../../lib/event/envelope.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import {
  compactedText,
  noPrompts,
  notePrompt,
  type Prompts,
} from "../../../lib/agents/copilot/compaction.ts";
import { copilotAgent, copilotFormat } from "../../../lib/agents/copilot/copilot_agent.ts";
import { locateAll, makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";
import { accountSum } from "../../../lib/source/source_account.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const copilot = new Reading(copilotAgent, { format: copilotFormat });

const SUBAGENT = "6282a21b-c7ad-46da-bb93-faf24e143e05";

function path(name: string): string {
  return fileURLToPath(new URL(`../../../testdata/agents/copilot/${name}`, import.meta.url));
}

function promptsOf(texts: readonly string[]): Prompts {
  const prompts = noPrompts();
  for (const text of texts) notePrompt(prompts, text);
  return prompts;
}

async function session(name: string): Promise<AgentSession> {
  return await copilot.only(path(name));
}

const ID = "02a10000-0000-4000-8000-00000000000";

const HOME = {
  files: {
    [`.copilot/session-state/${ID}1/events.jsonl`]: copilot.fixture("tools.jsonl"),
    [`.copilot/session-state/${ID}2/events.jsonl`]: copilot.fixture("compaction.jsonl"),
    [`.copilot/session-state/${ID}2/workspace.yaml`]: copilot.fixture("workspace.yaml"),
    [`.copilot/session-state/${ID}2.jsonl`]: copilot.fixture("tools.jsonl"),
    [`.copilot/session-state/${ID}3.jsonl`]: copilot.fixture("images.jsonl"),
    [`.copilot/history-session-state/session_${ID}4_1759957816398.json`]: copilot.fixture(
      "legacy.json",
    ),
    [`.copilot/history-session-state/session_${ID}1_1759957816398.json`]: copilot.fixture(
      "legacy.json",
    ),
  },
  ids: [`${ID}1`, `${ID}2`, `${ID}3`, `${ID}4`],
  cwd: "/home/dev/my-app",
};

copilot.testContract("copilot", HOME);
copilot.testContract("copilot, compaction", { ...HOME, id: `${ID}2` });
copilot.testContract("copilot, document", {
  variables: { COPILOT_HOME: "~/own" },
  files: {
    [`own/history-session-state/session_${ID}4_1759957816398.json`]: copilot.fixture("legacy.json"),
  },
  ids: [`${ID}4`],
});

Deno.test("an answer and its calls are tied together, a repeated thought or result counts once", async () => {
  const { events } = await copilot.read("tools.jsonl");
  assert.deepEqual(payloadsOf(events, "assistant_message"), [{
    content: [
      { type: "text", text: "Listing." },
      { type: "tool_call", call_id: "c1", name: "bash", input: { command: "ls" } },
      { type: "tool_call", call_id: "c2", name: "edit", input: { path: "a.ts" } },
    ],
    message_id: "m1",
    model: "gpt-5-mini",
    usage: { output: 12 },
  }]);
  assert.deepEqual(payloadsOf(events, "reasoning_message"), [{ content: "look" }]);
  assert.deepEqual(payloadsOf(events, "bash_start"), [{ call_id: "c1", summary: "List" }]);
  assert.deepEqual(payloadsOf(events, "bash_end"), [{
    call_id: "c1",
    command: "ls",
    output: [
      { type: "text", text: "a.ts" },
      {
        type: "text",
        text: "\n<exited with exit code 2>",
        audience: "model",
        continues: true,
      },
    ],
    exit_code: 2,
    status: "error",
    duration_ns: 1e9,
  }]);
  const [diff] = payloadsOf(events, "diff");
  assert.deepEqual([diff?.call_id, diff?.path, diff?.lines.length], ["c2", "a.ts", 3]);
});

Deno.test("a prompt is as the user wrote it, and as the model was told it", async () => {
  const { events } = await copilot.read("tools.jsonl");
  assert.deepEqual(payloadsOf(events, "user_message"), [
    {
      content: [
        { type: "text", text: "<now/>", audience: "model" },
        { type: "text", text: "List them ✓", continues: true },
      ],
    },
  ]);
  const kept = payloadsOf(events, "extension").find(({ type }) => type === "user.message");
  assert.equal(kept, undefined);
});

Deno.test("errors, a stop and the end are told; a sub-agent does not speak", async () => {
  const { events } = await copilot.read("tools.jsonl");
  assert.deepEqual(payloadsOf(events, "turn_failed"), [
    { reason: "error", message: "500" },
    { reason: "cancelled", message: "user_initiated" },
  ]);
  assert.deepEqual(payloadsOf(events, "session_closed"), [{ status: "completed" }]);
  const row = await copilot.summary("tools.jsonl");
  assert.deepEqual([row?.status, row?.title, row?.cwd], [
    "completed",
    "List them ✓",
    "/home/dev/my-app",
  ]);
});

Deno.test("a compaction keeps what came since it started, and the answer that was calling", async () => {
  const messages = await copilot.messages("compaction.jsonl");
  assert.deepEqual(messages, [
    { role: "user", content: compactedText("They count.", promptsOf(["one", "two"]), []) },
    {
      role: "assistant",
      content: [{ type: "tool_call", call_id: "c1", name: "view", input: { path: "x" } }],
    },
    {
      role: "tool",
      content: [
        { type: "tool_result", call_id: "c1", name: "view", status: "skipped", output: "no" },
      ],
    },
    { role: "assistant", content: "2" },
  ]);
  const [applied] = await copilot.payloads("compaction.jsonl", "compaction_applied");
  assert.deepEqual([applied?.trigger, applied?.guidance], ["manual", "keep"]);
});

Deno.test("the text of a compaction repeats the prompts, of many the first and the last", () => {
  const few = compactedText("S", promptsOf(["a"]), [{ name: "pdf", path: "/s", content: "Do." }]);
  assert.match(few, /<user_message>\na\n<\/user_message>/);
  assert.match(few, /## Most recent skill: pdf\nPath: \/s/);
  const many = compactedText(
    "S",
    promptsOf(Array.from({ length: 30 }, (_, at) => `prompt ${at}`)),
    [],
  );
  // Copilot CLI computes a fifth of 20 in floating point: 3.9999999999999996, of which 3 are left.
  assert.match(many, /prompt 2\n<\/user_message>\n\.\.\. 11 messages omitted \.\.\.\n/);
  // Copilot CLI computes a fifth of 20 in floating point: 3.9999999999999996, of which 3 are left.
  assert.match(many, /prompt 29/);
});

Deno.test("images come with the prompt that has them, and in the result that gave them", async () => {
  const { events, account } = await copilot.read("images.jsonl");
  const [prompt, ...more] = payloadsOf(events, "user_message");
  assert.deepEqual(more, []);
  const inShort = (content: unknown): unknown =>
    (content as { type: string; bytes?: number }[]).map(({ type, bytes }) => [type, bytes]);
  assert.deepEqual(inShort(prompt?.content), [["text", undefined], ["image", 8]]);
  const given = [...payloadsOf(events, "bash_end"), ...payloadsOf(events, "tool_end")]
    .flatMap(({ output }) => typeof output === "object" ? inShort(output) : []);
  assert.deepEqual(given.at(-1), ["image", 8]);
  assert.equal(payloadsOf(events, "bash_start")[0]?.origin, "user");
  assert.deepEqual(Object.keys(account.side), ["session.binary_asset"]);
  const types = payloadsOf(events, "extension").map(({ type }) => type);
  assert.deepEqual(types, ["user.message", "hologram.shown"]);
});

Deno.test("a document of before is read by its messages", async () => {
  const messages = await copilot.messages("legacy.json");
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool", "assistant"]);
  const row = await copilot.summary("legacy.json");
  assert.deepEqual([row?.title, row?.message_count, row?.cwd], ["add it", 2, "/home/dev/my-app"]);
});

Deno.test("the title is that of workspace.yaml", async () => {
  const log = await Deno.readTextFile(path("compaction.jsonl"));
  const yaml = await Deno.readTextFile(path("workspace.yaml"));
  const folder = ".copilot/session-state/02a10000-0000-4000-8000-000000000002";
  const title = async (text: string): Promise<string | undefined> => {
    const files = { [`${folder}/events.jsonl`]: log, [`${folder}/workspace.yaml`]: text };
    await using home = await makeHome(files);
    const [found] = await locateAll(copilotAgent, home.environment);
    return found === undefined ? undefined : (await copilot.summary(found))?.title;
  };
  assert.equal(await title(yaml), 'Count: the "numbers"');
  assert.equal(await title("name: It''s\nsummary: other\n"), "It''s");
  assert.equal(await title("id: x\nsummary: |-\n  Two\n  lines\ncwd: /w\n"), "Two lines");
  assert.equal(await title("id: x\n"), "one");
});

Deno.test("a bad line costs itself, where Copilot CLI refuses the whole log", async () => {
  const lines = (await Deno.readTextFile(path("tools.jsonl"))).split("\n");
  lines.splice(0, 2, '{"type":"session.st');
  const name = ".copilot/session-state/02a10000-0000-4000-8000-000000000001.jsonl";
  await using home = await makeHome({ [name]: lines.join("\n") });
  const found = await copilot.found(home);
  const { events, found: reported } = await copilot.read(found);
  assert.deepEqual(reported.map(({ code }) => code), ["malformed-line", "missing-header"]);
  assert.equal(events[0]?.kind, "session_started");
  assert.equal(payloadsOf(events, "user_message").length, 1);
});

Deno.test("a list needs the head, the tail and the last title, not what else lies between", async () => {
  const event = (type: string, data: object, at: number): string => {
    const timestamp = new Date(1788000000000 + at * 1000).toISOString();
    return JSON.stringify({ type, data, id: `e${at}`, timestamp, parentId: null }) + "\n";
  };
  let log = event("session.start", { sessionId: "s", context: { cwd: "/w" } }, 0);
  log += event("user.message", { content: "the first" }, 1);
  for (let at = 2; at < 300; at++) {
    log += event("assistant.message", { content: "x".repeat(900) }, at);
    if (at % 100 === 0) log += event("session.title_changed", { title: `Title ${at}` }, at);
  }
  log += event("user.message", { content: "the last" }, 300);
  await using home = await makeHome({ ".copilot/session-state/s/events.jsonl": log });
  const row = await copilot.assertSameRow(await copilot.found(home), 300);
  assert.deepEqual([row.last_user_message, row.title], ["the last", "Title 200"]);
});

Deno.test("a sub-agent is a thread, named by its agent; a run's sums count once", async () => {
  const lines = [
    { type: "session.start", data: { sessionId: "s", context: { cwd: "/w" } } },
    { type: "user.message", data: { content: "Find it." } },
    { type: "tool.execution_start", data: { toolCallId: "t1", toolName: "task", arguments: {} } },
    { type: "subagent.started", data: { toolCallId: "t1", agentDisplayName: "Explore" } },
    {
      type: "assistant.message",
      data: {
        parentToolCallId: "t1",
        messageId: "s1",
        content: "Found.",
        outputTokens: 7,
        model: "m",
      },
    },
    {
      type: "assistant.message",
      data: { messageId: "m1", content: "There.", outputTokens: 5, model: "m" },
    },
    {
      type: "session.shutdown",
      data: {
        shutdownType: "routine",
        modelMetrics: {
          m: {
            usage: { inputTokens: 100, outputTokens: 12, cacheReadTokens: 60, cacheWriteTokens: 0 },
          },
        },
      },
    },
  ].map((event, at) => ({
    ...event,
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: `2026-09-02T09:00:0${at}.000Z`,
  }));
  await using home = await makeHome({
    ".copilot/session-state/s/events.jsonl": lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  const found = await copilot.found(home);
  const threads = await copilotAgent.open(found).threads();
  assert.deepEqual(
    threads?.map(({ id, kind, parent, title, records, usage }) => [
      id,
      kind,
      parent,
      title,
      records,
      usage,
    ]),
    [
      ["main", "main", undefined, undefined, 6, undefined],
      ["t1", "subagent", { thread: "main" }, "Explore", 1, { output: 7 }],
    ],
  );
  const { events } = await copilot.read(found, { thread: "t1" });
  assert.deepEqual(payloadsOf(events, "assistant_message").map(({ content }) => content), [
    "Found.",
  ]);
  const exact = await copilot.summary(found, { exact: true });
  assert.deepEqual(exact?.usage, { input: 40, output: 5, cache_read: 60, cache_write: 0 });
});

Deno.test("a session of 1.0.102 counts each request once, though each run's end has the sum of all", async () => {
  const reader = copilotAgent.open(await session("runs.jsonl"));
  const responses = (await Array.fromAsync(reader.usage())).flat();
  const spent = responses.filter(({ usage }) => usage.input !== undefined);
  // Five answers, a sub-agent's, and a compaction.
  assert.deepEqual(
    spent.map(({ thread, usage }) => [thread ?? "main", usage.input, usage.output]),
    [
      ...Array.from({ length: 6 }, () => ["main", 60, 10]),
      [SUBAGENT, 60, 10],
    ],
  );
});

Deno.test("a sub-agent of 1.0.102 is one thread, whose records name it by its own id", async () => {
  const one = await session("runs.jsonl");
  const threads = await copilotAgent.open(one).threads();
  assert.deepEqual(threads.map(({ id, kind, title, parent }) => [id, kind, title, parent]), [
    ["main", "main", undefined, undefined],
    [SUBAGENT, "subagent", "finder", { thread: "main" }],
  ]);
  const { events } = await copilot.read(one, { thread: SUBAGENT.slice(0, 8) });
  assert.equal(payloadsOf(events, "user_message").length, 1);
  assert.deepEqual(
    payloadsOf(events, "assistant_message").map(({ content }) => content),
    ["Answer number 15."],
  );
});

Deno.test("the conversation of 1.0.102 goes on from its compaction", async () => {
  const messages = await copilot.messages("runs.jsonl");
  assert.deepEqual(messages.map(({ role }) => role), ["user", "user", "assistant"]);
  assert.match(JSON.stringify(messages[0]), /<summary>\\nAnswer number 17\.\\n<\/summary>/);
});

type Event = [type: string, data: object];

/** A session whose log is longer than what is read of its end at first. */
async function withLog(
  events: readonly Event[],
  run: (session: AgentSession) => Promise<void>,
): Promise<void> {
  const lines = events.map(([type, data], at) =>
    JSON.stringify({
      type,
      data,
      id: `e${at}`,
      timestamp: new Date(1788000000000 + at * 1000).toISOString(),
      parentId: at === 0 ? null : `e${at - 1}`,
    })
  );
  await using home = await makeHome({
    ".copilot/session-state/s/events.jsonl": lines.join("\n") + "\n",
  });
  const found = await copilot.found(home);
  await run(found);
}

const WORK: Event[] = Array.from({ length: 100 }, (_, at): Event[] => [
  ["user.message", { content: `prompt ${at}` }],
  ["assistant.message", { messageId: `m${at}`, content: "x".repeat(900), model: "m" }],
]).flat();
const BEGUN: Event = ["session.start", { sessionId: "s", context: { cwd: "/w" } }];

async function tailOf(session: AgentSession, messages: number): Promise<readonly LogEvent[]> {
  return await copilotAgent.open(session).readTail({ messages });
}

Deno.test("an end whose compaction repeats earlier prompts has all of them", async () => {
  const compaction: Event = ["session.compaction_complete", { success: true, summaryContent: "S" }];
  const asked: Event[] = [["user.message", { content: "and now" }], [
    "assistant.message",
    { messageId: "last", content: "so" },
  ]];
  await withLog([BEGUN, ...WORK, compaction, ...asked], async (session) => {
    const kinds = (await tailOf(session, 2)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["user_message", "assistant_message"]);
    const [applied] = payloadsOf(await tailOf(session, 3), "compaction_applied");
    assert.match(applied?.summary ?? "", /prompt 0\n[^]*prompt 99\n/);
  });
});

Deno.test("a picture that was put away earlier is in the end that shows it", async () => {
  const picture: Event = ["session.binary_asset", {
    assetId: "a",
    data: "iVBORw0KGgo=",
    mimeType: "image/png",
    type: "image",
  }];
  const seen: Event = ["user.message", {
    content: "See",
    attachments: [{ type: "image", mimeType: "image/png", assetId: "a" }],
  }];
  await withLog([BEGUN, picture, ...WORK, seen], async (session) => {
    const prompt = payloadsOf(await tailOf(session, 1), "user_message").at(-1);
    assert.ok(typeof prompt?.content === "object");
    assert.deepEqual(prompt.content.map(({ type }) => type), ["text", "image"]);
  });
});

Deno.test("an end does not tell what a run took beside its answers: earlier ones count too", async () => {
  const usage = { inputTokens: 9, outputTokens: 12, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const shutdown: Event = ["session.shutdown", { modelMetrics: { m: { usage } } }];
  await withLog([BEGUN, ...WORK, shutdown], async (session) => {
    const { events } = await copilot.read(session);
    const end = await tailOf(session, 1);
    assert.ok(end.length < events.length);
    const told = (all: readonly LogEvent[]): unknown => payloadsOf(all, "assistant_message").at(-1);
    const id = `e${WORK.length + 1}/m`;
    assert.deepEqual(told(end), { content: "", message_id: id, model: "m" });
    assert.deepEqual(told(events), {
      content: "",
      message_id: id,
      model: "m",
      usage: { input: 9, output: 12, cache_read: 0, cache_write: 0 },
      usage_of: "turn",
    });
  });
});

Deno.test("a place keeps no prompt that a compaction would leave out", () => {
  const prompts = noPrompts();
  for (let at = 0; at < 1000; at++) notePrompt(prompts, `prompt ${at} ${"x".repeat(99_999)}`);
  assert.deepEqual([prompts.texts.length, prompts.omitted], [23, 977]);
  assert.ok(JSON.stringify(prompts).length < 800_000);
  const text = compactedText("S", prompts, []);
  assert.match(text, /prompt 0 x[^]*\.\.\. 998 messages omitted \.\.\.\n[^]*prompt 999 x/);
});

const SAMPLES = fileURLToPath(
  sampleUrl("copilot-cli/jazzyalex__agent-sessions"),
);

testRecorded(
  "every sample of Copilot CLI is recognized, read and accounted for",
  SAMPLES,
  async () => {
    let files = 0;
    for (const { name } of Deno.readDirSync(SAMPLES)) {
      const path = `${SAMPLES}/${name}`;
      const bytes = await Deno.readFile(path);
      assert.ok(copilotAgent.recognize(path, bytes.slice(0, 64 * 1024)), name);
      const session = await copilot.only(path);
      const { events, account, found } = await copilot.read(session);
      assert.equal(account.events, bytes.length);
      assert.equal(accountSum(account), account.total);
      assert.deepEqual(found, [], name);
      assert.ok(events.every(({ form }) => form === "known"), name);
      const { messages } = await copilot.conversation(session);
      assert.ok(messages.length > 0, name);
      assert.match((await copilot.summary(session))?.cwd ?? "", /^\/tmp\/\w+$/, name);
      files++;
    }
    assert.equal(files, 4);
  },
);

testRecorded("a sample's call that starts before its answer is told of once", SAMPLES, async () => {
  const path = `${SAMPLES}/Resources__Fixtures__stage0__agents__copilot__schema_drift.jsonl`;
  const session = await copilot.only(path);
  const { events } = await copilot.read(session);
  assert.deepEqual(payloadsOf(events, "bash_start").map(({ call_id }) => call_id), ["call_1"]);
  const { messages, findings } = await copilot.conversation(session);
  assert.deepEqual(messages.map(({ role }) => role), ["assistant", "tool", "assistant"]);
  assert.deepEqual(findings.map(({ code }) => code), ["orphan-settlement"]);
});
