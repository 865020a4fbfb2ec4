import assert from "node:assert/strict";
import { join } from "node:path";
import { droidAgent, droidFormat } from "../../../lib/agents/droid/droid_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { Reading } from "../_reading.ts";
import { type AgentHome, codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";

const droid = new Reading(droidAgent, { format: droidFormat, file: (name) => `${name}.jsonl` });

const TOOLS = "a44ad01e-aa38-4c34-9e46-48c5b5ed6490";
const SUBAGENT = "b55be12f-aa38-4c34-9e46-48c5b5ed6491";
const COMPRESSED = "c66cf23a-aa38-4c34-9e46-48c5b5ed6492";
const FOLDER = ".factory/sessions/-home-dev-my-app";

function sessionFiles(id: string, name: string): Record<string, URL> {
  return {
    [`${FOLDER}/${id}.jsonl`]: droid.fixture(`${name}.jsonl`),
    [`${FOLDER}/${id}.settings.json`]: droid.fixture(`${name}.settings.json`),
  };
}

const FILES = {
  ...sessionFiles(TOOLS, "tools"),
  ...sessionFiles(SUBAGENT, "subagent"),
  ...sessionFiles(COMPRESSED, "compressed"),
};
const HOME = {
  fork: (text: string, id: string) =>
    text.replace(/(?:"parent":"[^"]*",)?"version":2,/, `"parent":"${id}","version":2,`),
  files: { ...FILES, [`${FOLDER}/early-1.jsonl`]: droid.fixture("early.jsonl") },
  ids: [TOOLS, COMPRESSED, "early-1"],
  cwd: "/home/dev/my-app",
};

droid.testContract("droid", HOME);
droid.testContract("droid, compressed", { ...HOME, id: COMPRESSED });
droid.testContract("droid, elsewhere", {
  variables: { FACTORY_HOME_OVERRIDE: "~/other" },
  files: { [`other/${FOLDER}/early-1.jsonl`]: droid.fixture("early.jsonl") },
  ids: ["early-1"],
});

async function located(home: AgentHome, subagents: boolean): Promise<AgentSession[]> {
  return await droid.located(home, { subagents });
}

Deno.test("each record of Factory Droid becomes what it says", async () => {
  await droid.assertGolden("tools", "tools");
});

Deno.test("Factory Droid keeps what is behind the anchor of its compaction", async () => {
  const [summary, ...rest] = await droid.said("tools");
  assert.match(JSON.stringify(summary), /<summary>\\nThe parser was mended\.\\n<\/summary>/);
  assert.deepEqual(rest, [
    ["assistant", ["reasoning", "tool_call", "tool_call"]],
    ["tool", ["tool_result", "tool_result"]],
    ["assistant", "Mended."],
    ["user", "And the names?"],
    ["assistant", ["reasoning", "text"]],
  ]);
});

Deno.test("a session that Factory Droid compressed begins with the summary", async () => {
  const messages = await droid.messages("compressed");
  assert.deepEqual(messages.map(({ role }) => role), ["user", "user", "user", "assistant"]);
  assert.match(JSON.stringify(messages[0]), /Parser and names are right/);
  assert.deepEqual((await droid.payloads("compressed", "session_started"))[0]?.parent, {
    session_id: TOOLS,
  });
});

Deno.test("tokens of Factory Droid that a compressed session took over count once", async () => {
  await using home = await makeHome(FILES);
  const [main, compressed] = await located(home, false) as [AgentSession, AgentSession];
  const usage = async (one: AgentSession): Promise<unknown[]> =>
    (await Array.fromAsync(droidAgent.open(one).usage())).flat().map((response) => [
      response.thread ?? "main",
      response.model,
      response.usage.input,
      response.usage.output,
    ]);
  assert.deepEqual(await usage(main), [
    ["main", "claude-sonnet-4-5", 600, 370],
    [SUBAGENT, "claude-haiku-4-5", 100, 20],
  ]);
  assert.deepEqual(await usage(compressed), [["main", "claude-sonnet-4-5", 60, 30]]);
});

Deno.test("a sub-agent of Factory Droid is a thread, and a session where its caller is gone", async () => {
  await using home = await makeHome(FILES);
  assert.deepEqual((await located(home, false)).map(({ id }) => id), [TOOLS, COMPRESSED]);
  assert.equal((await located(home, true)).length, 3);
  const [main] = await located(home, false) as [AgentSession];
  const [, agent] = await droidAgent.open(main).threads();
  assert.deepEqual([agent?.id, agent?.kind, agent?.records], [SUBAGENT, "subagent", 3]);
  const [prompt] = await droid.payloads(main, "user_message", { thread: SUBAGENT.slice(0, 6) });
  assert.equal(prompt?.content, "Where are dates read?");
  await Deno.remove(join(home.path, FOLDER, `${TOOLS}.jsonl`));
  assert.deepEqual((await located(home, false)).map(({ id }) => id), [SUBAGENT, COMPRESSED]);
});

Deno.test("an edit of Factory Droid is found with its prompt", async () => {
  const edits = await readEdits(await droid.session("tools"));
  assert.deepEqual(edits.map(({ path, change, prompt }) => [path, change, prompt?.text]), [[
    "/home/dev/my-app/parse.ts",
    { kind: "replacements", replacements: [{ old_text: "day", new_text: "date", all: false }] },
    "Make the tests pass",
  ]]);
});

Deno.test("a list shows the title, the directory and the model of Factory Droid", async () => {
  await using home = await makeHome(FILES);
  const [main] = await located(home, false) as [AgentSession];
  const row = await droid.summary(main, { exact: true });
  assert.deepEqual([row?.title, row?.cwd, row?.created_at, row?.first_user_message], [
    "Mend the parser of dates",
    "/home/dev/my-app",
    "2026-09-24T09:29:58.000Z",
    "Make the tests pass",
  ]);
  assert.deepEqual(row?.models, ["claude-sonnet-4-5", "glm-4.6"]);
});

Deno.test("without its first line, and with a torn one, Factory Droid's other records are read", async () => {
  const [, ...lines] = droid.text("early.jsonl").split("\n");
  await using home = await makeHome({ "x.jsonl": `${lines[0]}\n${lines[1]?.slice(0, 40)}` });
  const read = await droid.read({ agent: "droid", id: "x", path: join(home.path, "x.jsonl") });
  assert.deepEqual(codesOf(read), ["missing-header", "torn-tail"]);
  const [prompt] = payloadsOf(read.events, "user_message");
  assert.equal(prompt?.content, "Plan the release");
});

Deno.test("Factory Droid resumes a session by its id", async () => {
  const { argv } = descriptorOf("droid").resumeCommand(await droid.session("early")) ?? {};
  assert.deepEqual(argv, ["droid", "--resume", "early"]);
});

Deno.test("a sub-agent of Factory Droid is a thread as soon as its file names its caller", async () => {
  await using home = await makeHome({ [`${FOLDER}/${TOOLS}.jsonl`]: droid.fixture("tools.jsonl") });
  const session = await droid.onlyIn(home, FOLDER, `${TOOLS}.jsonl`);
  const kinds = async () => (await droidAgent.open(session).threads()).map(({ kind }) => kind);
  assert.deepEqual(await kinds(), ["main"]);
  const path = join(home.path, FOLDER, `${SUBAGENT}.jsonl`);
  const text = droid.text("subagent.jsonl");
  await Deno.writeTextFile(path, text.slice(0, 60));
  assert.deepEqual(await kinds(), ["main"]);
  await Deno.writeTextFile(path, text);
  assert.deepEqual(await kinds(), ["main", "subagent"]);
  await Deno.remove(path);
  assert.deepEqual(await kinds(), ["main"]);
});
