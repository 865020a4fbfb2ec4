import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { qwenAgent } from "../../../lib/agents/qwen/qwen_agent.ts";
import { conversationOf, makeHome } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";
import { accountSum } from "../../_support/account_sum.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const qwen = new Reading(qwenAgent);

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
