import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { kimiAgent, kimiFormat } from "../../../lib/agents/kimi/kimi_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import type { Message } from "../../../lib/event/message.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { inShort } from "../_in_short.ts";
import { Reading } from "../_reading.ts";
import { codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";

const kimi = new Reading(kimiAgent, {
  format: kimiFormat,
  file: (name) => `${name}/agents/main/wire.jsonl`,
});

async function session(name: string, agent = "main"): Promise<AgentSession> {
  const path = fileURLToPath(kimi.fixture(`${name}/agents/${agent}/wire.jsonl`));
  return await kimi.only(path);
}

function isNoReminder({ content }: Message): boolean {
  return typeof content !== "string" || !content.startsWith("<system-reminder>");
}

const ROOT = "own/sessions/wd_my-app_e0235863bf57";
const TOOLS = "session_4eb8ada6-dcc3-45a7-b12f-5cfa441b496d";
const OLD = "session_0d9c3faa-e7fd-4a01-b245-8df60b946732";

kimi.testContract("kimi", {
  variables: { KIMI_CODE_HOME: "~/own" },
  files: {
    [`${ROOT}/${OLD}/agents/main/wire.jsonl`]: kimi.fixture("old/agents/main/wire.jsonl"),
    [`${ROOT}/${OLD}/state.json`]: kimi.fixture("old/state.json"),
    [`${ROOT}/${TOOLS}/agents/main/wire.jsonl`]: kimi.fixture("tools/agents/main/wire.jsonl"),
    [`${ROOT}/${TOOLS}/agents/agent-0/wire.jsonl`]: kimi.fixture("tools/agents/agent-0/wire.jsonl"),
    [`${ROOT}/${TOOLS}/state.json`]: kimi.fixture("tools/state.json"),
    [`${ROOT}/session_empty/state.json`]: "{}",
    "own/session_index.jsonl": "",
    "own/sessions/.index-cache/scan.json": "{}",
  },
  ids: [TOOLS, OLD],
  id: OLD,
  cwd: "/home/dev/my-app",
});

Deno.test("each record of Kimi Code becomes what it says", async () => {
  await kimi.assertGolden("tools", "tools");
});

Deno.test("Kimi Code goes on from its compaction with all prompts, without what was undone", async () => {
  const messages = await kimi.messages("tools");
  // As the requests of 2.1.0 had it, but for reminders.
  assert.deepEqual(inShort(messages.filter(isNoReminder)), [
    ["user", "step:edited please write a poem"],
    ["user", "step:parallel look"],
    ["user", "step:recalled ask"],
    ["user", "step:failing do"],
    ["user", "step:parallel again"],
    [
      "user",
      "The conversation so far has been compacted.\n<summary>\nMuch was tried; step by step.\n</summary>",
    ],
    ["assistant", "<summary>\nMuch was tried; step by step.\n</summary>"],
    ["user", "Which colours, in one word?"],
    ["assistant", "Purple."],
    ["user", ["text", "image"]],
    ["user", "Background task b1 is done."],
    ["assistant", ["tool_call"]],
    ["tool", ["tool_result"]],
    ["user", "Are you there?"],
  ]);
});

Deno.test("an undone turn of Kimi Code is a thread, as is each subagent", async () => {
  const threads = await kimiAgent.open(await kimi.session("tools")).threads();
  assert.deepEqual(threads.map(({ kind, title, records }) => [kind, title, records > 0]), [
    ["main", undefined, true],
    ["replaced", "Which colours?", true],
    ["subagent", "Please look around step:thought", true],
  ]);
  const [task] = await kimi.payloads("tools", "user_message", { thread: "agent-0" });
  assert.deepEqual(task?.content, [
    {
      type: "text",
      text:
        "<git-context>\nWorking directory: /home/dev/my-app\nBranch: master\nDirty files (1):\n" +
        "  ?? poem.txt\n</git-context>\n\n",
      audience: "model",
    },
    { type: "text", text: "Please look around step:thought", continues: true },
  ]);
});

Deno.test("the last messages follow the summary of an older Kimi Code until the context is cleared", async () => {
  const whole = kimi.text("old/agents/main/wire.jsonl").split("\n");
  const cleared = whole.findIndex((line) => line.includes("context.clear"));
  await using home = await makeHome({
    "agents/main/wire.jsonl": `${whole.slice(0, cleared).join("\n")}\n`,
  });
  const messages = await kimi.messages(await kimi.onlyIn(home, "agents", "main", "wire.jsonl"));
  assert.deepEqual(messages.map(({ role }) => role), [
    ...["user", "user", "assistant", "user", "assistant", "assistant", "tool"],
  ]);
  assert.deepEqual(inShort(messages).slice(0, 2), [["user", "We counted to two."], [
    "user",
    "Two",
  ]]);
  const after = await kimi.conversation("old");
  assert.deepEqual(inShort(after.messages), [["user", "Four"], ["assistant", "Fourth."]]);
});

Deno.test("each request of Kimi Code is counted once, with those that were undone", async () => {
  const sums: Record<string, number> = {};
  for (const name of ["tools", "old"]) {
    for await (const responses of kimiAgent.open(await session(name)).usage()) {
      for (const { usage } of responses) sums[name] = (sums[name] ?? 0) + (usage.output ?? 0);
    }
  }
  const records = (name: string, agent: string): number =>
    kimi.text(`${name}/agents/${agent}/wire.jsonl`).split("\n")
      .filter((line) => line.includes('"usage.record"'))
      .reduce((sum, line) => sum + JSON.parse(line).usage.output, 0);
  assert.equal(sums.tools, records("tools", "main") + records("tools", "agent-0"));
  assert.equal(sums.old, 20);
});

Deno.test("edits of Kimi Code are found", async () => {
  const edits = await readEdits(await kimi.session("tools"));
  assert.deepEqual(edits.map(({ path, change }) => [path, change.kind]), [
    ["/home/dev/my-app/poem.txt", "write"],
    ["/home/dev/my-app/poem.txt", "replacements"],
  ]);
});

Deno.test("without metadata, the folder of Kimi Code tells the id", async () => {
  const folder = ".kimi-code/sessions/wd_a_0/session_1";
  const lines = kimi.text("old/agents/main/wire.jsonl").split("\n");
  const torn = `${lines.slice(2, 4).join("\n")}\n${lines[4]?.slice(0, 60)}\n${
    lines[5]?.slice(0, 40)
  }`;
  await using home = await makeHome({ [`${folder}/agents/main/wire.jsonl`]: torn });
  const [one] = await kimi.located(home);
  assert.deepEqual([one?.id, one?.cwd], ["session_1", undefined]);
  const read = await kimi.read(one);
  assert.deepEqual(codesOf(read), ["malformed-line", "torn-tail", "missing-header"]);
  assert.equal(payloadsOf(read.events, "user_message").length, 1);
});

Deno.test("Kimi Code resumes a session by its id, and lists its archive as such", async () => {
  const { argv } =
    descriptorOf("kimi").resumeCommand?.({ ...await kimi.session("old"), id: "s_1" }) ??
      {};
  assert.deepEqual(argv, ["kimi", "--session", "s_1"]);
  const { archived, cwd } = await kimi.session("old");
  assert.deepEqual([archived, cwd], [true, "/home/dev/my-app"]);
});
