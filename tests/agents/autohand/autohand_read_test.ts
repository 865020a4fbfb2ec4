import assert from "node:assert/strict";
import { join } from "node:path";
import { autohandAgent, autohandFormat } from "../../../lib/agents/autohand/autohand_agent.ts";
import { UNSETTLED_OUTPUT } from "../../../lib/projection/conversation/paired_messages.ts";
import { locateAll, makeHome } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";

const autohand = new Reading(autohandAgent, {
  format: autohandFormat,
  file: (name) => `${name}/conversation.jsonl`,
});

const ID = "5d2a23de-52f0-43fd-a8b1-000000000009-1795293685886";

function line(role: string, content: string, more: object = {}): string {
  return JSON.stringify({ role, content, timestamp: "2026-11-21T20:41:27.000Z", ...more }) + "\n";
}

const TOOLS = "5d2a23de-52f0-43fd-a8b1-000000000001-1795293685886";
const PLAIN = "5d2a23de-52f0-43fd-a8b1-000000000002-1795293685999";

const HOME = {
  variables: { AUTOHAND_HOME: "~/own" },
  files: {
    [`own/sessions/${TOOLS}/metadata.json`]: autohand.fixture("tools/metadata.json"),
    [`own/sessions/${TOOLS}/state.json`]: autohand.fixture("tools/state.json"),
    [`own/sessions/${TOOLS}/conversation.jsonl`]: autohand.fixture("tools/conversation.jsonl"),
    [`own/sessions/${PLAIN}/metadata.json`]: autohand.fixture("plain/metadata.json"),
    [`own/sessions/${PLAIN}/conversation.jsonl`]: autohand.fixture("plain/conversation.jsonl"),
    "own/sessions/index.json": '{"sessions":[{"id":1}],"byProject":{}}',
    "own/sessions/index.json.lock/x.owner": "",
  },
  ids: [TOOLS, PLAIN],
  cwd: "/home/dev/my-app",
};

autohand.testContract("autohand", HOME);

Deno.test("a session's metadata and state stand around its messages", async () => {
  const tools = await autohand.session("tools");
  const [started] = await autohand.payloads(tools, "session_started");
  assert.equal(started?.title, "Implemented JWT auth");
  assert.equal(started?.created_at, "2026-11-21T20:41:25.886Z");
  assert.equal(started?.cwd, "/home/dev/my-app");
  const [state] = await autohand.payloads(tools, "workspace_snapshot");
  assert.deepEqual(state, {
    root: "/home/dev/my-app",
    git_status: "## main",
    files: ["src/index.ts"],
    context_used: 15000,
    context_limit: 200000,
  });
  const { events } = await autohand.read(tools);
  const last = events.at(-1);
  assert.ok(last?.form === "known" && last.kind === "session_closed");
  assert.deepEqual(last.payload, {
    status: "completed",
    exit_code: 0,
    summary: "Implemented JWT auth",
  });
  const summary = await autohand.summary(tools, { exact: true });
  assert.equal(summary?.status, "completed");
  assert.deepEqual(summary?.usage, { input: 1200, output: 300 });
});

Deno.test("a fork names its source, and does not count the source's tokens again", async () => {
  const summary = await autohand.summary("plain", { exact: true });
  assert.deepEqual(summary?.parent, {
    session_id: "5d2a23de-52f0-43fd-a8b1-000000000001-1795293685886",
    reason: "fork",
  });
  assert.deepEqual(summary?.usage, {});
  assert.deepEqual(summary?.models, ["ollama/qwen"]);
  assert.equal(summary?.updated_at, "2026-11-21T20:41:59.000Z");
});

Deno.test("a person sees the response of an answer in JSON; the model gets it as it was", async () => {
  const tools = await autohand.session("tools");
  const items = await autohand.transcript(tools);
  assert.ok(items.some((item) => item.type === "reasoning" && item.text === "all good"));
  assert.ok(items.some((item) => item.type === "message" && item.content === "Done."));
  const messages = await autohand.messages(tools);
  // A call without an id is named by the place of its line, and its own in it.
  const { events } = await autohand.read(tools);
  const line = events.find(({ kind }) => kind === "assistant_message")?.position?.offset;
  const unnamed = `line-${line}-3`;
  const call = (call_id: string, name: string, input: unknown) =>
    ({ type: "tool_call", call_id, name, input }) as const;
  const result = (call_id: string, name: string, output: string, status = "ok") =>
    ({ type: "tool_result", call_id, name, status, output }) as const;
  assert.deepEqual(await autohand.payloads(tools, "compaction_applied"), []);
  assert.deepEqual(await autohand.payloads(tools, "conversation_replaced"), []);
  assert.deepEqual(messages, [
    { role: "user", content: "Add JWT auth ✓" },
    {
      role: "assistant",
      content: [
        { type: "text", text: "I will read the files." },
        call("call_1", "read_file", { path: "src/index.ts" }),
        call("call_2", "run_command", { command: "npm", args: ["test"] }),
        call(unnamed, "list", { dir: "." }),
      ],
    },
    {
      role: "tool",
      content: [
        result("call_1", "read_file", "export const a = 1;\n"),
        result("call_2", "run_command", "PASS part 1\nexit 0"),
        result(unnamed, "list", "src"),
      ],
    },
    { role: "assistant", content: '{"thought":"all good","finalResponse":"Done."}' },
    { role: "system", content: "[Context Summary] earlier work" },
    { role: "user", content: "More" },
    { role: "assistant", content: [call("call_3", "run_command", { command: "sleep" })] },
    { role: "tool", content: [result("call_3", "run_command", "half an output", "interrupted")] },
  ]);
});

Deno.test("a result behind the next prompt names its call, and is no other call's", async () => {
  const called = { toolCalls: [{ id: "c", tool: "t" }] };
  await using home = await makeHome({
    [`.autohand/sessions/${ID}/conversation.jsonl`]: line("user", "go") +
      line("assistant", "", called) + line("user", "wait") +
      line("assistant", "", { toolCalls: [{ tool: "t" }] }) + line("tool", "own", { name: "t" }) +
      line("tool", "late", { tool_call_id: "c", name: "t" }),
  });
  const found = await autohand.found(home);
  const ended = await autohand.payloads(found, "tool_end");
  assert.deepEqual(ended.map(({ output }) => output), ["own", "late"]);
  assert.match(ended[0]?.call_id ?? "", /^line-\d+-1$/);
  assert.equal(ended[1]?.call_id, "c");
});

Deno.test("a text that is JSON and no answer is shown and sent as it is", async () => {
  const { messages, compaction_seq } = await autohand.conversation("plain");
  assert.equal(compaction_seq, undefined);
  assert.deepEqual(messages.at(-1), { role: "assistant", content: '{"a": 1}' });
});

Deno.test("streamed pieces, notes and metadata are kept as extensions", async () => {
  const kept = await autohand.payloads(await autohand.session("tools"), "extension");
  assert.deepEqual(kept.map(({ type }) => type), [
    "system",
    "stream",
    "stream",
    "stream",
    "metadata",
  ]);
});

Deno.test("a log whose metadata is damaged is read with what its id tells", async () => {
  await using home = await makeHome({
    [`.autohand-cli/sessions/${ID}/metadata.json`]: '{"sessionId":',
    [`.autohand-cli/sessions/${ID}/conversation.jsonl`]: line("user", "hello") +
      line("assistant", "", { toolCalls: [{ id: "c", tool: "t" }] }) + line("narrator", "?"),
  });
  const found = await autohand.found(home);
  const [started] = await autohand.payloads(found, "session_started");
  assert.equal(started?.created_at, new Date(1795293685886).toISOString());
  const messages = await autohand.messages(found);
  assert.equal(messages.length, 3);
  const [result] = messages[2]?.content ?? [];
  assert.ok(typeof result === "object" && result.type === "tool_result");
  assert.equal(result.output, UNSETTLED_OUTPUT);
  const { found: findings } = await autohand.read(found);
  assert.deepEqual(findings.map(({ code }) => code), ["missing-header"]);
});

Deno.test("a session without a log is its metadata", async () => {
  await using home = await makeHome({
    [`.autohand/sessions/${ID}/metadata.json`]: autohand.fixture("plain/metadata.json"),
    [`.autohand/sessions/${ID.replace("9-", "8-")}/metadata.json`]: "torn {",
  });
  const sessions = await locateAll(autohandAgent, home.environment);
  assert.equal(sessions.length, 2);
  const reads = await Promise.all(sessions.map((found) => autohand.read(found)));
  assert.deepEqual(reads.map(({ account }) => [account.damage > 0, account.events > 0]), [
    [true, false],
    [false, true],
  ]);
  for (const [index, { account }] of reads.entries()) {
    assert.equal(account.total, Deno.statSync(sessions[index]?.path ?? "").size);
  }
});

Deno.test("sessions in linked folders are found, with the directory that the index names", async () => {
  await using home = await makeHome({ "shop/x": "" });
  const real = join(home.path, "shop");
  const link = join(home.path, "link");
  Deno.symlinkSync(real, link);
  const root = join(home.path, ".autohand", "sessions");
  for (const [name, projectPath] of [["a", real], ["b", link], ["c", "/x"]] as const) {
    Deno.mkdirSync(join(home.path, "moved", name), { recursive: true });
    Deno.mkdirSync(root, { recursive: true });
    Deno.writeTextFileSync(
      join(home.path, "moved", name, "metadata.json"),
      JSON.stringify({ projectPath }),
    );
    Deno.symlinkSync(join(home.path, "moved", name), join(root, name));
  }
  Deno.writeTextFileSync(
    join(root, "index.json"),
    JSON.stringify({ sessions: [{ id: "a", projectPath: real }] }),
  );
  const found = await locateAll(autohandAgent, home.environment);
  assert.deepEqual(found.map(({ id, cwd }) => [id, cwd]), [
    ["a", real],
    ["b", undefined],
    ["c", undefined],
  ]);
});
