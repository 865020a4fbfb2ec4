import assert from "node:assert/strict";
import { contentFor, outputText } from "../../../lib/event/audience.ts";
import { fileURLToPath } from "node:url";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { qwenAgent } from "../../../lib/agents/qwen/qwen_agent.ts";
import { conversation } from "../../../lib/projection/conversation/conversation.ts";
import { toMessages } from "../../../lib/shape/message_shape.ts";
import { foldEvents } from "../../../lib/projection/projection.ts";
import { conversationOf, locateAll, makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";
import { accountSum } from "../../../lib/source/source_account.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const qwen = new Reading(qwenAgent, { file: (name) => `${name}.jsonl` });

const FIXTURES = new URL("../../../testdata/agents/qwen/", import.meta.url).href;

async function session(name: string): Promise<AgentSession> {
  const url = new URL(`../../../testdata/agents/qwen/${name}.jsonl`, import.meta.url);
  return await qwen.only(fileURLToPath(url));
}

const ID = "01a10000-0000-4000-8000-00000000000";
const CHATS = "projects/-home-dev-my-app/chats";

const HOME = {
  files: {
    [`.qwen/${CHATS}/${ID}1.jsonl`]: qwen.fixture("tools.jsonl"),
    [`.qwen/${CHATS}/${ID}1.ledger.jsonl`]: "{}\n",
    [`.qwen/${CHATS}/archive/${ID}2.jsonl`]: qwen.fixture("branches.jsonl"),
    [`.qwen/tmp/0f3c/chats/${ID}3.jsonl`]: qwen.fixture("compression.jsonl"),
    [`.qwen/${CHATS}/${ID}4.jsonl`]: qwen.fixture("damaged.jsonl"),
  },
  ids: [`${ID}1`, `${ID}2`, `${ID}3`, `${ID}4`],
  cwd: "/home/dev/my-app",
};

qwen.testContract("qwen", HOME);
qwen.testContract("qwen, branches", { ...HOME, id: `${ID}2` });
qwen.testContract("qwen, elsewhere", {
  variables: { QWEN_HOME: "~/other", QWEN_RUNTIME_DIR: "~/run" },
  files: { [`run/${CHATS}/${ID}3.jsonl`]: qwen.fixture("compression.jsonl") },
  ids: [`${ID}3`],
});

Deno.test("an answer gives its thought, text and calls, tied together, and what it took", async () => {
  const { events } = await qwen.read("tools");
  assert.deepEqual(payloadsOf(events, "assistant_message"), [{
    message_id: "a1",
    model: "qwen3-coder-plus",
    usage: { input: 36, output: 20, cache_read: 64, cache_write: 0, reasoning: 5 },
    content: [
      { type: "reasoning", text: "look first", provider_data: { type: "reasoning_content" } },
      { type: "text", text: "Running." },
      {
        type: "tool_call",
        call_id: "c1",
        name: "run_shell_command",
        input: { command: "ls", description: "List" },
      },
      { type: "tool_call", call_id: "c2", name: "edit", input: { file_path: "a.ts" } },
    ],
  }]);
  const folded = foldEvents(conversation({ reasoning: "include" }), events);
  const sent = toMessages(folded.messages, "openai").messages;
  assert.deepEqual(
    sent.flatMap((message) => message.role === "assistant" ? message.reasoning_content ?? [] : []),
    ["look first"],
    "as the client sends it again",
  );
  assert.deepEqual(payloadsOf(events, "bash_start"), [{ call_id: "c1", summary: "List" }]);
  const [ended] = payloadsOf(events, "bash_end");
  const { output = "", ...end } = ended ?? {};
  assert.equal(outputText(output, "user"), "a.ts");
  assert.match(outputText(contentFor(output, "model")), /^Command: ls\n[^]*\nOutput: a.ts\n/);
  assert.deepEqual(end, {
    call_id: "c1",
    command: "ls",
    exit_code: 2,
    status: "error",
  });
  assert.deepEqual(payloadsOf(events, "tool_end").map(({ status }) => status), ["ok"]);
  const [diff] = payloadsOf(events, "diff");
  assert.deepEqual([diff?.call_id, diff?.path, diff?.lines.length], ["c2", "a.ts", 3]);
});

Deno.test("the model's content stays whole, and the title is the user's own words", async () => {
  const found = await session("tools");
  const { events } = await qwen.read(found);
  const [prompt, more] = payloadsOf(events, "user_message");
  assert.ok(prompt !== undefined);
  assert.equal(contentFor(prompt.content, "user"), "Fix the parser ✓");
  assert.match(
    String(contentFor(prompt.content, "model")),
    /^Fix the parser ✓<qwen:user-prompt-submit-context>/,
  );
  assert.deepEqual((more?.content as { type: string }[]).map(({ type }) => type), [
    "text",
    "image",
  ]);
  assert.equal((await qwen.summary(found))?.title, "Fix the parser ✓");
  const turns = events.slice(1).map((event) => event.form === "known" ? event.turn_id : "");
  assert.deepEqual(new Set(turns), new Set(["p1"]));
  assert.deepEqual(payloadsOf(events, "turn_failed"), [{ reason: "error", message: "529" }]);
  assert.deepEqual(payloadsOf(events, "extension").map(({ type }) => type), ["ui_telemetry"]);
});

Deno.test("the live branch ends at the last record, whose fragments are one", async () => {
  const found = await session("branches");
  const { events, account, found: reported } = await qwen.read(found);
  const messages = await qwen.messages(found);
  assert.deepEqual(messages, [
    { role: "user", content: "begin" },
    { role: "user", content: "again" },
    {
      role: "assistant",
      content: [{ type: "reasoning", text: "hm", provider_data: { type: "reasoning_content" } }, {
        type: "text",
        text: "kept",
      }],
    },
  ]);
  assert.deepEqual(
    payloadsOf(events, "assistant_message").map(({ model, usage }) => [model, usage]),
    [
      ["m2", { input: 12, output: 4 }],
    ],
  );
  assert.deepEqual(payloadsOf(events, "session_renamed"), [{ title: "New title" }]);
  assert.deepEqual(Object.keys(account.side), ["session_artifact_snapshot"]);
  assert.ok(account.dead > 0);
  assert.deepEqual(reported, []);
});

Deno.test("another branch is read by the id of a record on it", async () => {
  const { events } = await qwen.read("branches", { thread: "a1" });
  assert.deepEqual(payloadsOf(events, "assistant_message").map(({ content }) => content), [
    "discarded",
  ]);
});

Deno.test("rewound records and sub-agents are threads of the session", async () => {
  const id = "01a10000-0000-4000-8000-000000000002";
  const folder = `.qwen/projects/-home-dev-my-app`;
  const frame = { sessionId: id, cwd: "/home/dev/my-app", agentId: "ag-1", isSidechain: true };
  const records = [
    { ...frame, uuid: "s1", parentUuid: null, timestamp: "2026-09-01T08:00:05.100Z", type: "user" },
    { ...frame, uuid: "s2", parentUuid: "s1", type: "assistant", model: "m3" },
  ].map((record, at) => ({
    ...record,
    message: { role: at === 0 ? "user" : "model", parts: [{ text: ["Look.", "Seen."][at] }] },
    ...(at === 0 ? {} : { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2 } }),
  }));
  await using home = await makeHome({
    [`${folder}/chats/${id}.jsonl`]: new URL(`${FIXTURES}branches.jsonl`),
    [`${folder}/subagents/${id}/agent-ag-1.jsonl`]: records.map((one) => JSON.stringify(one))
      .join("\n"),
    [`${folder}/subagents/${id}/agent-ag-1.meta.json`]: JSON.stringify({
      agentId: "ag-1",
      agentType: "Explore",
      description: "Look around",
      parentAgentId: null,
    }),
  });
  const [found, ...others] = await locateAll(qwenAgent, home.environment);
  assert.deepEqual(others, []);
  assert.ok(found !== undefined);
  const threads = await qwenAgent.open(found).threads();
  assert.deepEqual(
    threads?.map(({ id, kind, parent, title, records }) => [id, kind, parent, title, records]),
    [
      ["main", "main", undefined, undefined, 5],
      ["x1", "branch", { thread: "main" }, undefined, 1],
      ["a1", "replaced", { thread: "main" }, undefined, 2],
      ["ag-1", "subagent", { thread: "main" }, "Look around", 2],
    ],
  );
  assert.deepEqual(threads?.[3]?.usage, { input: 9, output: 2 });
  const told = (await Array.fromAsync(qwenAgent.open(found).usage())).flat();
  assert.deepEqual(
    told.map(({ key, thread, usage }) => [key, thread, usage.output]),
    [["a2\nqwen", undefined, 4], ["s2\nqwen", "ag-1", 2]],
  );
  const { events, account } = await qwen.read(found, { thread: "ag" });
  assert.deepEqual(
    [payloadsOf(events, "user_message")[0]?.content, account.dead],
    ["Look.", 0],
  );
  const files = (await qwenAgent.open(found).files())?.paths;
  assert.deepEqual(files?.map((path) => path.slice(path.lastIndexOf("/") + 1)), [
    `${id}.jsonl`,
    "agent-ag-1.jsonl",
  ]);
});

Deno.test("a whole id names its thread, though another's begins with it", async () => {
  const id = "01a10000-0000-4000-8000-000000000002";
  const fixture = new URL(`${FIXTURES}branches.jsonl`);
  await using home = await makeHome({
    [`.qwen/projects/p/chats/${id}.jsonl`]: fixture,
    [`.qwen/projects/p/subagents/${id}/agent-a1-more.jsonl`]:
      (await Deno.readTextFile(fixture)).split("\n")[0] + "\n",
  });
  const found = await qwen.found(home);
  const said = async (thread: string): Promise<unknown[]> => {
    const { events } = await qwen.read(found, { thread });
    return payloadsOf(events, "assistant_message").map(({ content }) => content);
  };
  assert.deepEqual(await said("a1"), ["discarded"]);
  assert.deepEqual(await said("a1-"), []);
  await assert.rejects(said("zz"), { code: "not-found" });
});

Deno.test("a title that was given on a dead branch is still the session's", async () => {
  const { path } = await session("branches");
  const lines = (await Deno.readTextFile(path)).split("\n").filter((line) =>
    !line.includes('"n2"')
  );
  const id = "01a10000-0000-4000-8000-000000000002";
  const name = `.qwen/projects/-home-dev-my-app/chats/${id}.jsonl`;
  await using home = await makeHome({ [name]: lines.join("\n") });
  const found = await qwen.found(home);
  assert.deepEqual(await qwen.payloads(found, "session_renamed"), [{ title: "Old title" }]);
});

Deno.test("a compression replaces what was before it, and what is in force is enough", async () => {
  const found = await session("compression");
  const messages = await qwen.messages(found);
  assert.deepEqual(messages, [
    { role: "user", content: "<state_snapshot>They count.</state_snapshot>" },
    { role: "assistant", content: "Got it." },
    { role: "user", content: "two" },
    { role: "assistant", content: "2" },
  ]);
  const { events } = await qwen.read(found);
  const [applied] = payloadsOf(events, "compaction_applied");
  assert.deepEqual([applied?.tokens_before, applied?.tokens_after], [9000, 900]);
  const { events: in_force } = await qwen.read(found, { in_force: true });
  assert.deepEqual(payloadsOf(in_force, "user_message"), [{ content: "two" }]);
  assert.equal(payloadsOf(events, "user_message").length, 2);
});

Deno.test("damage costs its own line, not all that stands before it", async () => {
  const found = await session("damaged");
  const { events, found: reported } = await qwen.read(found);
  assert.deepEqual(payloadsOf(events, "user_message").map(({ content }) => content), [
    "before the damage",
    "after it",
  ]);
  assert.deepEqual(reported.map(({ code, line }) => [code, line]), [["malformed-line", 2]]);
  const [started] = payloadsOf(events, "session_started");
  assert.equal(started?.parent?.reason, "fork");
});

Deno.test("a parent that is nowhere ends the branch, and is reported", async () => {
  const { path } = await session("branches");
  const lines = (await Deno.readTextFile(path)).split("\n").slice(4, 7);
  const id = "01a10000-0000-4000-8000-000000000002";
  const name = `.qwen/projects/-home-dev-my-app/chats/${id}.jsonl`;
  await using home = await makeHome({ [name]: lines.join("\n") });
  const found = await qwen.found(home);
  const { events, found: reported } = await qwen.read(found);
  assert.deepEqual(reported.map(({ code }) => code), ["missing-parent"]);
  assert.equal(payloadsOf(events, "user_message").length, 1);
});

Deno.test("a list needs the head and the tail, not what lies between", async () => {
  const id = "01a10000-0000-4000-8000-000000000009";
  let last: string | null = null;
  let count = 0;
  const line = (type: string, text: string, more: object = {}): string => {
    const uuid = `r${++count}`;
    const message = { role: type === "user" ? "user" : "model", parts: [{ text }] };
    const timestamp = new Date(1788000000000 + count * 1000).toISOString();
    const frame = { uuid, parentUuid: last, sessionId: id, timestamp, cwd: "/w", type };
    last = uuid;
    return JSON.stringify({ ...frame, message, ...more }) + "\n";
  };
  let log = line("user", "the first");
  for (let at = 0; at < 300; at++) {
    log += line("user", "between") + line("assistant", "x".repeat(900));
  }
  log += line("user", "the last") + line("assistant", "so");
  log += line("system", "", { subtype: "custom_title", systemPayload: { customTitle: "Named" } });
  await using home = await makeHome({ [`.qwen/projects/-w/chats/${id}.jsonl`]: log });
  const row = await qwen.assertSameRow(await qwen.found(home), 603);
  assert.equal(row.title, "Named");
});

Deno.test("a session of Claude Code, whose frame is alike, is none of Qwen Code's", () => {
  const encoder = new TextEncoder();
  const frame = { uuid: "a", parentUuid: null, sessionId: "s", type: "user" };
  const claude = JSON.stringify({ ...frame, message: { role: "user", content: "hi" } });
  const qwen = JSON.stringify({ ...frame, message: { role: "user", parts: [{ text: "hi" }] } });
  assert.ok(!qwenAgent.recognize("x.jsonl", encoder.encode(claude)));
  assert.ok(qwenAgent.recognize("x.jsonl", encoder.encode(`torn{\n${qwen}\n`)));
});

const SAMPLES = fileURLToPath(
  sampleUrl("qwen-code/jazzyalex__agent-sessions"),
);
const PREFIX = "Resources__Fixtures__stage0__agents__qwen__019f0000-0000-7000-8000-00000000000";

testRecorded(
  "every sample of Qwen Code is recognized, read and accounted for",
  SAMPLES,
  async () => {
    let files = 0;
    for (const { name } of Deno.readDirSync(SAMPLES)) {
      const path = `${SAMPLES}/${name}`;
      const bytes = await Deno.readFile(path);
      assert.ok(qwenAgent.recognize(path, bytes.slice(0, 64 * 1024)), name);
      const { events, account } = await qwen.read(await qwen.only(path));
      assert.ok(events.length > 1, name);
      assert.equal(account.total, bytes.length);
      assert.equal(accountSum(account), account.total);
      files++;
    }
    assert.equal(files, 6);
  },
);

testRecorded("a sample with a rewind and fragments gives its live branch", SAMPLES, async () => {
  const session = await qwen.only(`${SAMPLES}/${PREFIX}4.jsonl`);
  const { messages } = await conversationOf(qwenAgent, session, { tools: "omit" });
  assert.deepEqual(messages, [
    { role: "user", content: "Begin the active-chain fixture." },
    { role: "user", content: "Continue from the rewound branch." },
    { role: "assistant", content: "Active branch answer." },
  ]);
  const row = await qwen.summary(session);
  assert.deepEqual([row?.title, row?.cwd, row?.models], [
    "Active branch title",
    "/tmp/as-qwen-fixture/old-project",
    ["synthetic-active-model"],
  ]);
});

testRecorded("a sample with two records on one line gives both", SAMPLES, async () => {
  const session = await qwen.only(`${SAMPLES}/${PREFIX}5.jsonl`);
  assert.equal((await qwen.conversation(session)).messages.length, 2);
});
