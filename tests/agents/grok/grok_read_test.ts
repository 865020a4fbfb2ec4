import assert from "node:assert/strict";
import { grokAgent, grokFormat } from "../../../lib/agents/grok/grok_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import { Reading } from "../_reading.ts";
import { codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";

const grok = new Reading(grokAgent, {
  format: grokFormat,
  file: (name) => `${name}/updates.jsonl`,
});

const TOOLS = "01a21d9a-8429-7131-a725-8d3c517c9dec";
const EXPLORE = "01a21d9a-893c-7212-9733-eb2bef1605c4";
const ROOT = ".grok/sessions/%2Fhome%2Fdev%2Fmy-app";

/** A session and its subagent side by side, as Grok Build keeps them. */
function withSubagent(root: string): Record<string, URL> {
  const files = ["updates.jsonl", "summary.json"];
  return {
    ...grok.placed(`${root}/${TOOLS}`, "tools", ...files, `subagents/${EXPLORE}/meta.json`),
    ...grok.placed(`${root}/${EXPLORE}`, "explore", ...files),
  };
}

const OWN = "own/sessions/%2Fhome%2Fdev%2Fmy-app";
const CHECKPOINT = "compaction_checkpoints/fe614fc4-82a4-419e-adf9-c4eb8e1ae23a.json";
const PLAIN = "019f75d0-aaaa-7bbb-8ccc-b0a1b2c3d4e5";

grok.testContract("grok", {
  variables: { GROK_HOME: "~/own" },
  files: {
    ...withSubagent(OWN),
    ...grok.placed(`${OWN}/${TOOLS}`, "tools", CHECKPOINT),
    ...grok.placed(`${OWN}/${PLAIN}`, "explore", "updates.jsonl"),
    [`${OWN}/prompt_history.jsonl`]: "{}\n",
    [`${OWN}/empty/summary.json`]: "{}",
  },
  ids: [TOOLS, PLAIN],
  id: PLAIN,
  cwd: "/home/dev/my-app",
});

Deno.test("each notification of Grok Build becomes what it says", async () => {
  await grok.assertGolden("tools", "tools");
});

Deno.test("Grok Build goes on from its checkpoint, without what was rewound", async () => {
  assert.deepEqual(await grok.said("tools"), [
    ["user", "<user_info>\nOS Version: linux\n</user_info>"],
    ["user", "<user_query>\nstep:parallel x\n</user_query>"],
    ["user", "This session is being continued.\n\nSummary:\nWe wrote a poem."],
    ["user", "<system-reminder>\nWorkflows\n</system-reminder>"],
    ["assistant", ["text", "tool_call"]],
    ["tool", ["tool_result"]],
    ["user", "step:thought later"],
    ["assistant", ["reasoning", "text"]],
    ["user", "In one word?"],
    ["assistant", ["tool_call"]],
    ["tool", ["tool_result"]],
    ["assistant", "Purple."],
    ["user", "thanks"],
  ]);
});

Deno.test("the pieces of a prompt of Grok Build are one message, with its images", async () => {
  const [_, rewound] = await grokAgent.open(await grok.session("tools")).threads();
  assert.deepEqual([rewound?.kind, rewound?.title], ["replaced", "Which colours are in it?"]);
  const { events } = await grok.read("tools", { thread: rewound!.id });
  const prompt = payloadsOf(events, "user_message").at(-1);
  assert.deepEqual(prompt?.content.slice(0, 1), [{
    type: "text",
    text: "Which colours are in it?",
  }]);
  assert.equal(prompt?.content.length, 2);
  const answer = payloadsOf(events, "assistant_message").find(({ content }) =>
    content === "Red and blue."
  );
  assert.equal(answer?.model, "grok-4");
});

Deno.test("tokens of Grok Build count once, with those of a subagent that ended in the turn", async () => {
  await using home = await makeHome(withSubagent(ROOT));
  const reader = grokAgent.open(await grok.onlyIn(home, ROOT, TOOLS, "updates.jsonl"));
  const responses = (await Array.fromAsync(reader.usage())).flat();
  // 4 + 5 + 3 + 1 requests of 10 tokens, three of these a subagent's, and a rewound one of 20.
  const sum = responses.reduce((sum, { usage }) => sum + (usage.output ?? 0), 0);
  assert.equal(sum, 150);
  const [priced] = responses.filter(({ cost_usd }) => cost_usd !== undefined);
  assert.deepEqual(priced?.usage, {
    ...{ input: 400, output: 20, cache_read: 600, cache_write: 0, reasoning: 5 },
  });
  assert.equal(priced?.cost_usd, 0.002);
  const threads = await reader.threads();
  assert.deepEqual(threads.map(({ kind, title }) => [kind, title]), [
    ["main", undefined],
    ["replaced", "Which colours are in it?"],
    ["subagent", "Look around"],
  ]);
});

Deno.test("a subagent of Grok Build is a session only where it is asked for", async () => {
  await using home = await makeHome(withSubagent(ROOT));
  const ids = async (options: { subagents?: boolean }): Promise<string[]> =>
    (await grok.located(home, options)).map(({ id }) => id);
  assert.deepEqual(await ids({}), [TOOLS]);
  assert.deepEqual(await ids({ subagents: true }), [TOOLS, EXPLORE]);
});

Deno.test("edits of Grok Build are found, but for those that failed", async () => {
  const edits = await readEdits(await grok.session("tools"));
  assert.deepEqual(edits.map(({ path, change }) => [path, change.kind]), [
    ["/home/dev/my-app/poem.txt", "write"],
    ["/home/dev/my-app/poem.txt", "replacements"],
  ]);
});

Deno.test("without a summary, the folders of Grok Build tell the id and the directory", async () => {
  const lines = grok.text("explore/updates.jsonl").split("\n");
  const torn = `${lines[0]}\n${lines[1]?.slice(0, 40)}\n${lines[2]}\n${lines[3]?.slice(0, 30)}`;
  await using home = await makeHome({ [`${ROOT}/${EXPLORE}/updates.jsonl`]: torn });
  const one = await grok.onlyIn(home, ROOT, EXPLORE, "updates.jsonl");
  assert.deepEqual([one.id, one.cwd], [EXPLORE, "/home/dev/my-app"]);
  assert.deepEqual(codesOf(await grok.read(one)), ["malformed-line", "torn-tail"]);
});

Deno.test("people see the plan of Grok Build, and what its background tasks gave", async () => {
  const updates = [
    { sessionUpdate: "plan", entries: [{ content: "Run the tests", status: "pending" }] },
    { sessionUpdate: "task_completed", task_snapshot: { output: "two tests passed" } },
    { sessionUpdate: "available_commands_update", commands: [{ description: "Clear the talk" }] },
  ];
  const lines = updates.map((update) => ({ method: "session/update", params: { update } }));
  await using home = await makeHome({
    [`${ROOT}/${TOOLS}/updates.jsonl`]: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  const { events } = await grok.read(await grok.onlyIn(home, ROOT, TOOLS, "updates.jsonl"));
  assert.deepEqual(payloadsOf(events, "notice").map(({ title, text }) => [title, text]), [
    ["plan", "Run the tests"],
    ["task_completed", "two tests passed"],
  ]);
});

Deno.test("Grok Build resumes a session by its id", async () => {
  const { argv } = descriptorOf("grok").resumeCommand?.(await grok.session("tools")) ?? {};
  assert.deepEqual(argv, ["grok", "--resume", TOOLS]);
});
