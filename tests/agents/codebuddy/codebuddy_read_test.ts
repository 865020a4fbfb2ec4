import assert from "node:assert/strict";
import { join } from "node:path";
import { codebuddyAgent } from "../../../lib/agents/codebuddy/codebuddy_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import { Reading } from "../_reading.ts";
import { codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { golden } from "../_golden.ts";

const codebuddy = new Reading(codebuddyAgent, { file: (name) => `${name}.jsonl` });

const ID = "0c1d2e3f-0000-4000-8000-00000000000";
const PROJECT = "projects/home-dev-my-app";
const SUBAGENT = "subagents/agent-8c36227f";

const HOME = {
  files: {
    [`.codebuddy/${PROJECT}/${ID}1.jsonl`]: codebuddy.fixture("tools.jsonl"),
    [`.codebuddy/${PROJECT}/${ID}1.meta.json`]: codebuddy.fixture("tools.meta.json"),
    [`.codebuddy/${PROJECT}/${ID}1/${SUBAGENT}.jsonl`]: codebuddy.fixture(
      `tools/${SUBAGENT}.jsonl`,
    ),
    [`.codebuddy/${PROJECT}/${ID}1/${SUBAGENT}.meta.json`]: codebuddy.fixture(
      `tools/${SUBAGENT}.meta.json`,
    ),
    [`.codebuddy/${PROJECT}/${ID}2.jsonl`]: codebuddy.fixture("compacted.jsonl"),
    [`.codebuddy/${PROJECT}/${ID}2.meta.json`]: codebuddy.fixture("compacted.meta.json"),
    [`.codebuddy/${PROJECT}/agent-0000.jsonl`]: codebuddy.fixture(`tools/${SUBAGENT}.jsonl`),
    [".codebuddy/history.jsonl"]: "{}\n",
  },
  ids: [`${ID}1`, `${ID}2`],
  cwd: "/home/dev/my-app",
};

codebuddy.testContract("codebuddy", HOME);
codebuddy.testContract("codebuddy, compacted", { ...HOME, id: `${ID}2` });
codebuddy.testContract("codebuddy, elsewhere", {
  variables: { CODEBUDDY_CONFIG_DIR: "~/own" },
  files: { [`own/${PROJECT}/${ID}3.jsonl`]: codebuddy.fixture("cleared.jsonl") },
  ids: [`${ID}3`],
});

Deno.test("each record of CodeBuddy Code becomes what it says", async () => {
  await codebuddy.assertGolden("tools", "tools");
});

Deno.test("CodeBuddy Code does not send what its client said beside the talk", async () => {
  const messages = await codebuddy.messages("tools");
  const texts = JSON.stringify(messages);
  assert.match(texts, /A background task ended/);
  assert.match(texts, /Reply briefly/);
  assert.doesNotMatch(texts, /Too many requests/);
});

Deno.test("CodeBuddy Code goes on from its last summary, on the branch that is live", async () => {
  const compacted = await codebuddy.session("compacted");
  assert.deepEqual(await codebuddy.said(compacted), [
    ["user", "<cb_summary>The lexer was rewritten, and has tests.</cb_summary>"],
    ["user", "Go on"],
    ["assistant", "Done."],
  ]);
  const [main, branch] = await codebuddyAgent.open(compacted).threads();
  const exact = await codebuddy.summary(compacted, { exact: true });
  assert.deepEqual(exact?.usage, { input: 70, output: 7 });
  assert.deepEqual([main?.id, branch?.kind, branch?.title], ["main", "branch", "Rewrite it"]);
});

Deno.test("a summary of CodeBuddy Code's own agent is sent in the words of its client", async () => {
  await using home = await makeHome({
    "a.jsonl": codebuddy.text("compacted.jsonl").split("\n").slice(0, 11).join(
      "\n",
    ),
  });
  const one = await codebuddy.onlyIn(home, "a.jsonl");
  const [summary, ...rest] = await codebuddy.said(one);
  assert.match(
    JSON.stringify(summary),
    /Summary:\\nThe lexer was rewritten\.\\n\\nPlease address/,
  );
  assert.deepEqual(rest, [["user", "Now the tests"], ["assistant", "Tests stand."]]);
  assert.doesNotMatch(JSON.stringify(await codebuddy.payloads(one, "user_message")), /CONSTRAINTS/);
});

Deno.test("CodeBuddy Code goes on behind the last clear", async () => {
  assert.deepEqual(await codebuddy.said("cleared"), [["user", "What is new?"], [
    "assistant",
    "Nothing.",
  ]]);
});

Deno.test("CodeBuddy Code's tokens count once a response, and apart for its sub-agents", async () => {
  await using home = await makeHome({
    "a.jsonl": codebuddy.fixture("tools.jsonl"),
    "a/subagents/agent-8c36227f.jsonl": codebuddy.fixture("tools/subagents/agent-8c36227f.jsonl"),
    "a/subagents/agent-8c36227f.meta.json": codebuddy.fixture(
      "tools/subagents/agent-8c36227f.meta.json",
    ),
  });
  const one = await codebuddy.onlyIn(home, "a.jsonl");
  const usage = [];
  for await (const responses of codebuddyAgent.open(one).usage()) usage.push(...responses);
  assert.deepEqual(usage.map(({ key, thread, usage }) => [key, thread, usage]), [
    ["m1\ncodebuddy", undefined, {
      ...{ input: 400, output: 50, cache_read: 600, cache_write: 0, reasoning: 20 },
    }],
    ["m2\ncodebuddy", undefined, { input: 100, output: 30, cache_read: 1000, cache_write: 0 }],
    ["sm1\ncodebuddy", "agent-8c36227f", { input: 200, output: 10 }],
  ]);
  const [, subagent] = await codebuddyAgent.open(one).threads();
  assert.deepEqual([subagent?.kind, subagent?.title], ["subagent", "Find tests"]);
  const { events } = await codebuddy.read(one, { thread: "agent-8c" });
  const said = payloadsOf(events, "user_message").map(({ content }) => content);
  assert.deepEqual(said, ["Find the tests"]);
});

Deno.test("CodeBuddy Code tells title, directory, model and what a session was forked from", async () => {
  const compacted = await codebuddy.summary("compacted");
  assert.deepEqual([compacted?.title, compacted?.cwd, compacted?.models], [
    ...["The lexer", "/home/dev/my-app"],
    ["glm-5.0"],
  ]);
  const [started] = await codebuddy.payloads("compacted", "session_started");
  assert.deepEqual(started?.parent, {
    session_id: "0c1d2e3f-0000-4000-8000-000000000001",
    reason: "fork",
  });
  const untitled = codebuddy.text("tools.jsonl").replaceAll(
    /^.*-?t(?:opic|itle)".*$/gm,
    "",
  );
  await using home = await makeHome({ "a.jsonl": untitled });
  const one = await codebuddy.onlyIn(home, "a.jsonl");
  assert.equal((await codebuddy.summary(one))?.title, "Mend the parser");
  const cleared = await codebuddy.summary("cleared");
  assert.equal(cleared?.title, "Hello");
});

Deno.test("blame finds an edit of CodeBuddy Code", async () => {
  const edits = await readEdits(await codebuddy.session("tools"));
  assert.deepEqual(edits.map(({ path, change }) => [path, change]), [[
    "/home/dev/my-app/parser.ts",
    {
      kind: "replacements",
      replacements: [{ old_text: "const a = 1;", new_text: "const a = 2;", all: false }],
    },
  ]]);
});

Deno.test("a damaged line of CodeBuddy Code costs that line alone", async () => {
  const lines = codebuddy.text("compacted.jsonl").split("\n");
  await using home = await makeHome({
    "a.jsonl": lines.map((line, at) => at === 5 ? line.slice(0, 40) : line).slice(0, 7).join("\n"),
  });
  const one = await codebuddy.onlyIn(home, "a.jsonl");
  const read = await codebuddy.read(one);
  assert.ok(codesOf(read).length > 0);
  assert.match(JSON.stringify(golden(read.events)), /Explain the lexer.*A careful rewrite/);
});

Deno.test("CodeBuddy Code resumes by the id, and deletes after thirty days or those set", async () => {
  const { resumeCommand, loadExpiry } = descriptorOf("codebuddy");
  const command = resumeCommand({ agent: "codebuddy", id: "0c1d", path: "/a.jsonl" });
  assert.deepEqual(command?.argv, ["codebuddy", "--resume", "0c1d"]);
  const expiry = await loadExpiry?.();
  await using home = await makeHome({ "own/settings.json": '{"cleanupPeriodDays":7}' });
  const days = ["own", "none"].map((name) => {
    const place = { folder: join(home.path, name), os: "linux", variable: () => undefined };
    return expiry?.(place as unknown as Parameters<NonNullable<typeof expiry>>[0])?.after_days;
  });
  assert.deepEqual(days, [7, 30]);
});
