import assert from "node:assert/strict";
import { join } from "node:path";
import { kiroAgent, kiroFormat } from "../../../lib/agents/kiro/kiro_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import { loadLocator } from "../../../lib/library/locators.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { Reading } from "../_reading.ts";
import { codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { COMPACTED, CONVERSATION, fixture, OLDER, storeBytes, TOOLS } from "./_store.ts";
import { golden } from "../_golden.ts";

const kiro = new Reading(kiroAgent, { format: kiroFormat, file: (name) => `${name}.jsonl` });

function expected(name: string): unknown {
  return JSON.parse(kiro.text(`GOLDEN-${name}.json`));
}

const HOME = {
  files: {
    [`.kiro/sessions/cli/${TOOLS}.jsonl`]: fixture("tools.jsonl"),
    [`.kiro/sessions/cli/${TOOLS}.json`]: fixture("tools.json"),
    [`.kiro/sessions/cli/${COMPACTED}.jsonl`]: fixture("compaction.jsonl"),
    [`.kiro/sessions/cli/${COMPACTED}.json`]: fixture("compaction.json"),
  },
  ids: [TOOLS, COMPACTED],
  cwd: "/home/dev/my-app",
};

kiro.testContract("kiro", HOME);
kiro.testContract("kiro, compacted", { ...HOME, id: COMPACTED });
kiro.testContract("kiro in its database", {
  files: { "own/kiro-cli/data.sqlite3": storeBytes() },
  variables: { XDG_DATA_HOME: "~/own" },
  ids: [OLDER, CONVERSATION],
  cwd: "/home/dev/my-app",
  unit: "rows",
});

Deno.test("each record of Kiro CLI becomes what it says", async () => {
  const { events, found } = await kiro.read("tools");
  assert.deepEqual(golden(events), expected("tools"));
  assert.deepEqual(found, []);
});

Deno.test("each entry of a conversation in Kiro CLI's database becomes what it says", async () => {
  await using home = await makeHome({ "data.sqlite3": storeBytes() });
  const sessions = await kiroAgent.sessionsIn(join(home.path, "data.sqlite3"));
  assert.deepEqual(sessions.map(({ id }) => id), [OLDER, CONVERSATION]);
  const { events } = await kiro.read(sessions[1] as AgentSession, { unit: "rows" });
  assert.deepEqual(golden(events), expected("conversation"));
  const { events: older } = await kiro.read(sessions[0] as AgentSession, { unit: "rows" });
  const said = payloadsOf(older, "assistant_message").map(({ content }) => content);
  assert.deepEqual(said, ["Hello."]);
});

Deno.test("Kiro CLI goes on from its summary and the messages that it kept", async () => {
  const [summary, ...rest] = await kiro.said("compaction");
  assert.match(JSON.stringify(summary), /SUMMARY CONTENT:\\nThey asked twice\./);
  assert.deepEqual(rest, [
    ["user", "Second question"],
    ["assistant", ["text", "tool_call"]],
    ["tool", ["tool_result"]],
    ["assistant", "Read."],
    ["user", "Third question"],
    ["assistant", "Three."],
  ]);
});

Deno.test("Kiro CLI sends nothing from before a clear", async () => {
  assert.deepEqual(await kiro.said("tools"), [["user", "And the names?"], [
    "assistant",
    "They are right.",
  ]]);
});

Deno.test("tokens of Kiro CLI stand with the last message of their turn", async () => {
  const row = await kiro.summary("tools", { exact: true });
  assert.deepEqual(row?.usage, { input: 300, output: 40, cache_read: 1000, cache_write: 0 });
  assert.deepEqual([row?.title, row?.models], ["Make the tests pass", ["claude-sonnet-4.5"]]);
});

Deno.test("edits of Kiro CLI are found with their prompt", async () => {
  const edits = await readEdits(await kiro.session("tools"));
  assert.deepEqual(edits.map(({ path, change, prompt }) => [path, change.kind, prompt?.text]), [
    ["parse.ts", "replacements", "Make the tests pass"],
    ["notes.md", "write", "Make the tests pass"],
  ]);
});

Deno.test("a conversation of Kiro CLI that has a log, too, is one session", async () => {
  await using home = await makeHome({
    [`.kiro/sessions/cli/${CONVERSATION}.jsonl`]: fixture("compaction.jsonl"),
    ".local/share/kiro-cli/data.sqlite3": storeBytes(),
  });
  const { locate } = await loadLocator("kiro");
  const found = await Array.fromAsync(locate({ ...home.environment, os: "linux" }));
  assert.deepEqual(found.map(({ id, path }) => [id, path.endsWith(".jsonl")]), [
    [CONVERSATION, true],
    [OLDER, false],
  ]);
});

Deno.test("a damaged line, and damaged metadata, of Kiro CLI cost themselves", async () => {
  const lines = kiro.text("compaction.jsonl").split("\n");
  await using home = await makeHome({
    [`${TOOLS}.jsonl`]: [lines[0], lines[1]?.slice(0, 40), lines[2]].join("\n"),
    [`${TOOLS}.json`]: '{"session_id":',
  });
  const read = await kiro.read(await kiro.onlyIn(home, `${TOOLS}.jsonl`));
  assert.deepEqual(codesOf(read), ["malformed-line"]);
  const prompts = payloadsOf(read.events, "user_message").map(({ content }) => content);
  assert.deepEqual(prompts, ["First question", "Second question"]);
});

Deno.test("a damaged conversation of Kiro CLI's database is reported", async () => {
  const change = "UPDATE conversations_v2 SET value = '{\"conversation_id';";
  await using home = await makeHome({ "data.sqlite3": storeBytes(change) });
  const path = join(home.path, "data.sqlite3");
  const one: AgentSession = { agent: "kiro", id: CONVERSATION, path };
  const read = await kiro.read(one, { unit: "rows" });
  assert.deepEqual(codesOf(read), ["malformed-line"]);
  assert.equal(read.account.damage, 1);
});

Deno.test("a result of Kiro CLI that lacks its data is shown as it is", async () => {
  const content = [{ kind: "toolResult", data: { toolUseId: "c1", content: [{ kind: "json" }] } }];
  const line = { version: "v1", kind: "ToolResults", data: { message_id: "r1", content } };
  await using home = await makeHome({ [`${TOOLS}.jsonl`]: JSON.stringify(line) });
  const [end] = await kiro.payloads(await kiro.onlyIn(home, `${TOOLS}.jsonl`), "tool_end");
  assert.deepEqual(end?.output, [{ type: "json", value: { kind: "json" } }]);
});

Deno.test("Kiro CLI resumes a session by its id", async () => {
  const { argv } = descriptorOf("kiro").resumeCommand(await kiro.session("tools")) ?? {};
  assert.deepEqual(argv, ["kiro-cli", "chat", "--resume-id", "tools"]);
});
