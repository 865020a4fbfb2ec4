import assert from "node:assert/strict";
import { vibeAgent, vibeFormat } from "../../../lib/agents/vibe/vibe_agent.ts";
import { loadLocator } from "../../../lib/library/locators.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { Reading } from "../_reading.ts";
import { codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";

const vibe = new Reading(vibeAgent, {
  format: vibeFormat,
  file: (name) => `${name}/messages.jsonl`,
});

const SUBAGENT = "agents/explore_20260704_191001_c0ffee00";
const FOLDER = ".vibe/logs/session/session_20260704_191000_7c2a1d0f";

const ROOT = "own/logs/session";
const TOOLS = "7c2a1d0f-63d2-4a7b-8e2f-1b5e7a2c3d4e";
const PLAIN = "6b1f0c9e-52c1-4f6a-9d1e-0a4d6f1b2c3d";
const FILES = ["messages.jsonl", "meta.json"];

/** A session and its subagent. */
function withSubagent(folder: string): Record<string, URL> {
  return vibe.placed(folder, "tools", ...FILES, ...FILES.map((name) => `${SUBAGENT}/${name}`));
}

vibe.testContract("vibe", {
  variables: { VIBE_HOME: "~/own" },
  files: {
    ...withSubagent(`${ROOT}/session_20260704_191000_7c2a1d0f`),
    ...vibe.placed(`${ROOT}/session_20260704_190500_6b1f0c9e`, "plain", ...FILES),
    ...vibe.placed(`${ROOT}/session_20260706_080000_emptyone`, "plain", "meta.json"),
    [`${ROOT}/.session_index.json`]: "{}",
  },
  ids: [TOOLS, PLAIN],
  cwd: "/home/dev/my-app",
});

Deno.test("each record of Mistral Vibe becomes what it says", async () => {
  await vibe.assertGolden("tools", "tools");
});

Deno.test("Mistral Vibe goes on from its compaction, with what is injected", async () => {
  assert.deepEqual(await vibe.said("tools"), [
    ["user", "The summary: the parser fails in parser.go."],
    ["user", ["text", "image", "image"]],
    ["assistant", "Mended."],
  ]);
});

Deno.test("the usage of a session of Mistral Vibe stands once, and apart for its subagents", async () => {
  const tools = await vibe.session("tools");
  const exact = await vibe.summary(tools, { exact: true });
  assert.deepEqual(exact?.usage, { input: 9000, output: 300, cache_read: 0, cache_write: 0 });
  assert.deepEqual([exact?.cost_usd, exact?.models], [0.0042, ["devstral-2"]]);
  const cached = await vibe.summary("plain", { exact: true });
  assert.deepEqual(cached?.usage, { input: 400, output: 40, cache_read: 800, cache_write: 0 });
  const [main, subagent] = await vibeAgent.open(tools).threads();
  assert.deepEqual([main?.id, main?.records], ["main", 12]);
  assert.equal(subagent?.title, "Find the parser");
  assert.equal(subagent?.usage?.output, 20);
});

Deno.test("a subagent of Mistral Vibe is a thread, and a session only where it is asked for", async () => {
  await using home = await makeHome({
    ...withSubagent(FOLDER),
    [`${FOLDER}/attachments/4a.png`]: "image",
    [`${FOLDER}/x.json.tmp`]: "{",
  });
  const { locate } = await loadLocator("vibe");
  const found: AgentSession[] = [];
  for await (const one of locate(home.environment, { subagents: true })) found.push(one);
  assert.deepEqual(found.map(({ id }) => id.slice(0, 8)), ["7c2a1d0f", "c0ffee00"]);
  const [main] = found as [AgentSession];
  const { events } = await vibe.read(main, { thread: "c0ffee" });
  const said = payloadsOf(events, "user_message").map(({ content }) => content);
  assert.deepEqual(said, ["Find the parser"]);
  const names = (await vibeAgent.open(main).files())?.paths.map((path) =>
    path.slice(home.path.length + 1)
  );
  assert.deepEqual(
    names?.map((name) => name.replaceAll("\\", "/")),
    [
      "messages.jsonl",
      "meta.json",
      "attachments/4a.png",
      `${SUBAGENT}/messages.jsonl`,
      `${SUBAGENT}/meta.json`,
    ].map((name) => `${FOLDER}/${name}`),
  );
});

Deno.test("without metadata, the folder of Mistral Vibe tells the id and the time", async () => {
  for (const meta of [undefined, '{"session_id":"7c2a']) {
    await using home = await makeHome({
      [`${FOLDER}/messages.jsonl`]: vibe.fixture("plain/messages.jsonl"),
      ...(meta === undefined ? {} : { [`${FOLDER}/meta.json`]: meta }),
    });
    const one = await vibe.onlyIn(home, FOLDER, "messages.jsonl");
    assert.equal(one.id, "7c2a1d0f");
    const read = await vibe.read(one);
    assert.deepEqual(codesOf(read), ["missing-header"]);
    const [started] = payloadsOf(read.events, "session_started");
    assert.equal(started?.created_at, "2026-07-04T19:10:00.000Z");
    assert.equal(payloadsOf(read.events, "assistant_message").length, 2);
    assert.equal((await vibe.summary(one))?.title, "What does main.go do?");
    assert.equal((await vibeAgent.open(one).files())?.paths.length, meta === undefined ? 1 : 2);
  }
});

Deno.test("a damaged line of Mistral Vibe costs that line alone", async () => {
  const whole = vibe.text("plain/messages.jsonl").split("\n");
  const torn = [whole[0], whole[1]?.slice(0, 30), whole[2], whole[3]?.slice(0, 40)].join("\n");
  await using home = await makeHome({
    [`${FOLDER}/messages.jsonl`]: torn,
    [`${FOLDER}/meta.json`]: vibe.fixture("plain/meta.json"),
  });
  const read = await vibe.read(await vibe.onlyIn(home, FOLDER, "messages.jsonl"));
  assert.deepEqual(codesOf(read), ["malformed-line", "torn-tail"]);
  const prompts = payloadsOf(read.events, "user_message").map(({ content }) => content);
  assert.deepEqual(prompts, ["What does main.go do?", "And on which address?"]);
});

Deno.test("Mistral Vibe is recognized by the name of its file and the roles in it", () => {
  const head = new TextEncoder().encode('{"role":"user","content":"Hello"}\n');
  assert.ok(vibeAgent.recognize("/a/session_x/messages.jsonl", head));
  assert.ok(!vibeAgent.recognize("/a/session_x/notes.jsonl", head));
  const other = new TextEncoder().encode('{"type":"message"}\n');
  assert.ok(!vibeAgent.recognize("/a/session_x/messages.jsonl", other));
});

Deno.test("Mistral Vibe resumes a session by its id", async () => {
  const { argv } = descriptorOf("vibe").resumeCommand?.(await vibe.session("plain")) ?? {};
  assert.deepEqual(argv, ["vibe", "--resume", "6b1f0c9e-52c1-4f6a-9d1e-0a4d6f1b2c3d"]);
});
