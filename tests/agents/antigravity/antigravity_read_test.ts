import assert from "node:assert/strict";
import { join } from "node:path";
import {
  antigravityAgent,
  antigravityFormat,
} from "../../../lib/agents/antigravity/antigravity_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import {
  type AgentHome,
  codesOf,
  makeHome,
  payloadsOf,
  responseParts,
} from "../../_support/agent_contract.ts";
import { inShort } from "../_in_short.ts";
import { Reading } from "../_reading.ts";

const antigravity = new Reading(antigravityAgent, { format: antigravityFormat });

const BRAIN = ".gemini/antigravity-cli/brain";
const TOOLS = "7c2a1d0f-63d2-4a7b-8e2f-1b5e7a2c3d4e";
const REVIEWER = "4d9a1f00-0000-4000-8000-0000000000c1";
const LOGS = ".system_generated/logs";
const FULL = `${BRAIN}/${TOOLS}/${LOGS}/transcript_full.jsonl`;

/** A session, the one that it started, and the list of prompts. */
const FILES = {
  ...antigravity.placed(`${BRAIN}/${TOOLS}/${LOGS}`, "tools", "transcript_full.jsonl"),
  ...antigravity.placed(`${BRAIN}/${REVIEWER}/${LOGS}`, "reviewer", "transcript_full.jsonl"),
  ...antigravity.placed(".gemini/antigravity-cli", "", "history.jsonl"),
  [`${BRAIN}/${TOOLS}/${LOGS}/transcript.jsonl`]: "{}\n",
  [`${BRAIN}/${TOOLS}/.system_generated/tasks/task-7.log`]: "ok\n",
};

async function toolsIn(home: AgentHome): Promise<AgentSession> {
  return await antigravity.onlyIn(home, FULL);
}

/** The session of lines in a transcript that has no other file. */
async function sessionOf(home: AgentHome, lines: readonly object[]): Promise<AgentSession> {
  const path = join(home.path, "transcript_full.jsonl");
  Deno.writeTextFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return await antigravity.only(path);
}

const IDE_BRAIN = ".gemini/antigravity-ide/brain";
const SHORT = "6b1f0c9e-52c1-4f6a-9d1e-0a4d6f1b2c3d";

antigravity.testContract("antigravity", {
  files: {
    ...FILES,
    ...antigravity.placed(`${IDE_BRAIN}/${SHORT}/${LOGS}`, "short", "transcript.jsonl"),
    [`${BRAIN}/empty/task.md`]: "- [ ] Nothing yet",
  },
  ids: [TOOLS, SHORT],
  cwd: "/home/dev/my-app",
});

Deno.test("each step of Antigravity becomes what it says", async () => {
  await using home = await makeHome(FILES);
  const { account } = await antigravity.assertGolden(await toolsIn(home), "tools");
  assert.deepEqual(Object.keys(account.side), ["CONVERSATION_HISTORY"]);
});

Deno.test("results of Antigravity settle the calls of their kind, in whatever order", async () => {
  await using home = await makeHome(FILES);
  const { events } = await antigravity.read(await toolsIn(home));
  const calls = responseParts(events, "tool_call").map(({ call_id, name }) => [call_id, name]);
  const ends = [...payloadsOf(events, "tool_end"), ...payloadsOf(events, "bash_end")];
  assert.equal(ends.length, calls.length);
  const outcome = (call_id: string): unknown => {
    const end = ends.find((one) => one.call_id === call_id);
    return end && [end.status, "name" in end ? end.name : end.exit_code];
  };
  assert.deepEqual(calls.map(([call_id = ""]) => [call_id, outcome(call_id)]), [
    ["step-5-1", ["ok", "view_file"]],
    ["step-5-2", ["error", 1]],
    ["step-8-1", ["ok", "replace_file_content"]],
    ["step-10-1", ["ok", "write_to_file"]],
    ["step-12-1", ["error", "list_dir"]],
    ["step-14-1", ["ok", "invoke_subagent"]],
    ["step-17-1", ["ok", "RUN_COMMAND"]],
    ["step-21-1", ["ok", "list_permissions"]],
    ["step-24-1", ["ok", "PROPHECY"]],
  ]);
});

Deno.test("a checkpoint of Antigravity replaces nothing, and names the session", async () => {
  await using home = await makeHome(FILES);
  const session = await toolsIn(home);
  const messages = await antigravity.messages(session);
  const [first] = inShort(messages) as [string, string][];
  assert.match(first?.[1] ?? "", /^<USER_REQUEST>\nMend the parser\./);
  assert.equal(messages.filter(({ role }) => role === "user").length, 4);
  const row = await antigravity.summary(session, { exact: true });
  assert.equal(row?.title, "Mending the Parser");
  assert.equal(row?.first_user_message, "Mend the parser.");
  assert.equal(row?.cwd, "/home/dev/my-app");
  assert.deepEqual(row?.models, ["Gemini 3.5 Flash (High)"]);
});

Deno.test("a subagent of Antigravity is a thread of the session that started it", async () => {
  await using home = await makeHome(FILES);
  const session = await toolsIn(home);
  const reader = antigravityAgent.open(session);
  const [main, ...others] = await reader.threads();
  assert.equal(main?.id, "main");
  assert.deepEqual(others.map(({ id, kind, title, records }) => [id, kind, title, records]), [
    [REVIEWER, "subagent", "Review the change", 2],
  ]);
  const { events } = await antigravity.read(session, { thread: REVIEWER.slice(0, 6) });
  assert.deepEqual(payloadsOf(events, "assistant_message").map(({ content }) => content), [
    "The change is right.",
  ]);
  for (const [subagents, ids] of [[false, [TOOLS]], [true, [REVIEWER, TOOLS]]] as const) {
    const found = await antigravity.located(home, { subagents });
    assert.deepEqual(found.map(({ id }) => id), ids);
  }
  const { paths = [] } = await reader.files() ?? {};
  assert.equal(paths.length, 4);
  assert.ok(paths.some((path) => path.endsWith("task-7.log")));
});

Deno.test("a printed transcript of Antigravity starts no subagent", async () => {
  await using home = await makeHome(FILES);
  const printed = JSON.stringify(antigravity.text("tools/transcript_full.jsonl"));
  const other = join(home.path, BRAIN, "0a", LOGS);
  Deno.mkdirSync(other, { recursive: true });
  const line = `{"step_index":0,"source":"MODEL","type":"RUN_COMMAND","content":${printed}}\n`;
  Deno.writeTextFileSync(join(other, "transcript_full.jsonl"), line);
  const session = await antigravity.only(join(other, "transcript_full.jsonl"));
  assert.equal((await antigravityAgent.open(session).threads()).length, 1);
});

Deno.test("edits of Antigravity are recognized, from both of its transcripts", async () => {
  await using home = await makeHome(FILES);
  const edits = await readEdits(await toolsIn(home));
  assert.deepEqual(edits.map(({ path, change }) => [path, change.kind]), [
    ["/home/dev/my-app/parser.go", "blocks"],
    ["/home/dev/my-app/NOTES.md", "write"],
  ]);
  const path = join(home.path, "transcript.jsonl");
  Deno.copyFileSync(antigravity.fixture("short/transcript.jsonl"), path);
  const short = await antigravity.only(path);
  const [written] = await readEdits(short);
  assert.deepEqual(written?.change, { kind: "write", content: "Hello\n" });
  const { events } = await antigravity.read(short);
  const [call] = responseParts(events, "tool_call");
  assert.deepEqual(call?.input, {
    ...{ TargetFile: "/home/dev/other/hello.txt", CodeContent: "Hello\n", Overwrite: true },
    Description: '"Writes a gre<truncated 20 bytes>',
  });
  const [end] = payloadsOf(events, "tool_end");
  assert.equal(end?.truncated, true);
  assert.equal(payloadsOf(events, "bash_end")[0]?.exit_code, 0);
  assert.equal(payloadsOf(events, "session_started")[0]?.cwd, "/home/dev/other");
});

Deno.test("several replacements of Antigravity are one edit", async () => {
  await using home = await makeHome({});
  const chunk = (TargetContent: string, ReplacementContent: string): object => ({
    ...{ TargetContent, ReplacementContent, AllowMultiple: false },
  });
  const ReplacementChunks = [chunk("a", "b"), chunk("c", "d")];
  const args = { TargetFile: "/w/a.txt", ReplacementChunks };
  const step = { source: "MODEL", status: "DONE" };
  const session = await sessionOf(home, [
    {
      ...{ ...step, step_index: 0, type: "PLANNER_RESPONSE" },
      tool_calls: [{ name: "multi_replace_file_content", args }],
    },
    { ...step, step_index: 1, type: "CODE_ACTION", content: "Done." },
  ]);
  const [edit] = await readEdits(session);
  const change = edit?.change;
  assert.equal(change?.kind === "replacements" && change.replacements.length, 2);
});

Deno.test("a step of Antigravity with calls and a content is both", async () => {
  await using home = await makeHome({});
  const step = { step_index: 2, source: "planner", type: "CODE_ACTION", status: "ok" };
  const tool_calls = [{ name: "write_to_file", args: { TargetFile: "/w/a", CodeContent: "b" } }];
  const session = await sessionOf(home, [{ ...step, content: "Created.", tool_calls }]);
  assert.deepEqual(await antigravity.payloads(session, "tool_end"), [
    { call_id: "step-2-1", name: "write_to_file", status: "ok", output: "Created." },
  ]);
});

Deno.test("a damaged line of Antigravity costs that line alone", async () => {
  await using home = await makeHome({});
  const whole = antigravity.text("short/transcript.jsonl").split("\n");
  const path = join(home.path, "transcript.jsonl");
  const torn = [whole[0], whole[1]?.slice(0, 60), ...whole.slice(2, 5), whole[5]?.slice(0, 30)];
  Deno.writeTextFileSync(path, torn.join("\n"));
  const read = await antigravity.read(await antigravity.only(path));
  assert.deepEqual(codesOf(read), ["malformed-line", "torn-tail"]);
  assert.deepEqual(payloadsOf(read.events, "tool_end").map(({ name }) => name), ["CODE_ACTION"]);
});

Deno.test("the command line of Antigravity resumes its own sessions alone", async () => {
  await using home = await makeHome(FILES);
  const session = await toolsIn(home);
  const { resumeCommand } = descriptorOf("antigravity");
  assert.deepEqual(resumeCommand(session)?.argv, ["agy", "--conversation", TOOLS]);
  const path = session.path.replace("antigravity-cli", "antigravity-ide");
  assert.equal(resumeCommand({ ...session, path }), undefined);
});
