import assert from "node:assert/strict";
import { join } from "node:path";
import { continueAgent, continueFormat } from "../../../lib/agents/continue/continue_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import { SessionError } from "../../../lib/event/session_error.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { Reading } from "../_reading.ts";
import { codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";

const continueDev = new Reading(continueAgent, {
  format: continueFormat,
  file: (name) => `${name}.json`,
});

const EDITOR = "1f0e9d8c-5670-4fc6-b2db-2d7c5a55668e";

const CLI = "c6937ed8-a473-4780-b57b-7eb2724bf1c0";
const COMPACTED = "2a0e9d8c-5670-4fc6-b2db-2d7c5a55668e";

const HOME = {
  files: {
    [`.continue/sessions/${CLI}.json`]: continueDev.fixture("cli.json"),
    [`.continue/sessions/${EDITOR}.json`]: continueDev.fixture("editor.json"),
    [`.continue/sessions/${COMPACTED}.json`]: continueDev.fixture("compacted.json"),
    ".continue/sessions/sessions.json": continueDev.fixture("sessions.json"),
    ".continue/config.yaml": "name: Local\n",
  },
  ids: [CLI, EDITOR, COMPACTED],
  cwd: "/home/dev/my-app",
  all_or_nothing: true,
};

continueDev.testContract("continue", { ...HOME, id: COMPACTED });
continueDev.testContract("continue, an editor", { ...HOME, id: EDITOR });
continueDev.testContract("continue, elsewhere", {
  variables: { CONTINUE_GLOBAL_DIR: "~/other" },
  files: { [`other/sessions/${CLI}.json`]: continueDev.fixture("cli.json") },
  ids: [CLI],
  all_or_nothing: true,
});

for (const name of ["cli", "editor"]) {
  Deno.test(`each item of a session of Continue becomes what it says: ${name}`, async () => {
    await using home = await makeHome({
      [`${EDITOR}.json`]: continueDev.fixture(`${name}.json`),
      "sessions.json": continueDev.fixture("sessions.json"),
    });
    const one = await continueDev.onlyIn(home, `${EDITOR}.json`);
    await continueDev.assertGolden(one, name);
  });
}

Deno.test("Continue's command line goes on from the summary in place of the history", async () => {
  assert.deepEqual(await continueDev.said("compacted"), [
    ["user", "We mended the parser."],
    ["user", "What is left?"],
    ["assistant", "Nothing."],
  ]);
});

Deno.test("Continue's editors go on behind the message that has the summary", async () => {
  assert.deepEqual(await continueDev.said("editor"), [
    ["user", "The parser was mended."],
    ["user", "And the names?"],
    ["assistant", "They are right."],
  ]);
});

Deno.test("tokens of Continue are those of its answers, or of the session, never both", async () => {
  const cli = await continueDev.summary("cli", { exact: true });
  assert.deepEqual(cli?.usage, { input: 360, output: 60, cache_read: 240, cache_write: 0 });
  assert.deepEqual([cli?.cost_usd, cli?.models], [0.00072, ["mock-1"]]);
  const editor = await continueDev.summary("editor", { exact: true });
  assert.deepEqual(editor?.usage, { input: 350, output: 80, cache_read: 200, cache_write: 50 });
  assert.equal(editor?.cost_usd, 0.021);
});

Deno.test("tokens of Continue have the time when their session began", async () => {
  const one = await continueDev.session("cli");
  const [first] = (await Array.fromAsync(continueAgent.open(one).usage())).flat();
  const row = await continueDev.summary(one);
  assert.equal(typeof first?.time, "string");
  assert.equal(first?.time, row?.created_at);
});

Deno.test("a result that an editor of Continue keeps twice is told once", async () => {
  const { events } = await continueDev.read("editor");
  const ends = payloadsOf(events, "tool_end").map(({ call_id, status }) => [call_id, status]);
  assert.deepEqual(ends, [["t1", "ok"], ["t2", "interrupted"], ["t0", "ok"]]);
});

Deno.test("edits of Continue are found with their prompts", async () => {
  const edits = [
    ...await readEdits(await continueDev.session("cli")),
    ...await readEdits(await continueDev.session("editor")),
  ];
  assert.deepEqual(edits.map(({ path, change, prompt }) => [path, change.kind, prompt?.text]), [
    ["/home/dev/my-app/new.txt", "write", "Write a file"],
    ["src/parse.ts", "replacements", "Mend the parser"],
  ]);
});

Deno.test("a document of Continue that is cut is refused, or read as far as it goes", async () => {
  const text = continueDev.text("editor.json");
  await using home = await makeHome({ "a.json": text.slice(0, 900) });
  const one: AgentSession = { agent: "continue", id: "a", path: join(home.path, "a.json") };
  try {
    const { account } = await continueDev.read(one);
    assert.ok(account.damage > 0);
  } catch (error) {
    assert.ok(error instanceof SessionError);
  }
});

Deno.test("Continue goes on with a session in a copy", async () => {
  const { argv } = descriptorOf("continue").resumeCommand(await continueDev.session("cli")) ?? {};
  assert.deepEqual(argv, ["cn", "--fork", "cli"]);
});

Deno.test("a session of Continue that is cut is read as far as it goes", async () => {
  const whole = continueDev.text("cli.json");
  const cut = JSON.stringify({ sessionId: EDITOR, history: JSON.parse(whole).history });
  await using home = await makeHome({ [`${EDITOR}.json`]: cut.slice(0, cut.length - 40) });
  const read = await continueDev.read(await continueDev.onlyIn(home, `${EDITOR}.json`));
  assert.deepEqual(codesOf(read), ["torn-tail"]);
  const prompts = payloadsOf(read.events, "user_message").length;
  const answers = payloadsOf(read.events, "assistant_message").length;
  assert.ok(prompts > 0 && answers > 1);
});
