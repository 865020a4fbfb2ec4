import assert from "node:assert/strict";
import { join } from "node:path";
import { crushAgent, crushFormat } from "../../../lib/agents/crush/crush_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import { loadLocator } from "../../../lib/library/locators.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { golden } from "../_golden.ts";
import { Reading } from "../_reading.ts";
import { type AgentHome, codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { OTHER, storeBytes, SUBAGENT, TALK } from "./_store.ts";

const crush = new Reading(crushAgent, { format: crushFormat });

const PROJECT = "src/app";

async function project(change = ""): Promise<AgentHome> {
  return await makeHome({ [`${PROJECT}/.crush/crush.db`]: storeBytes(change) });
}

async function inProject(home: AgentHome, id = TALK): Promise<AgentSession> {
  const path = join(home.path, PROJECT, ".crush/crush.db");
  const sessions = await crushAgent.sessionsIn(path);
  const found = sessions.find((session) => session.id === id);
  assert.ok(found !== undefined);
  return found;
}

const HOME = { unit: "rows" as const };

crush.testContract("crush in the home", {
  ...HOME,
  files: { ".crush/crush.db": storeBytes() },
  ids: [TALK, OTHER],
});

crush.testContract("crush in the working directory", {
  ...HOME,
  files: { "src/app/.crush/crush.db": storeBytes() },
  variables: { PWD: "~/src/app/lib" },
  damage: false,
  ids: [TALK, OTHER],
});

Deno.test("each part of Crush becomes what it says", async () => {
  await using home = await project();
  const { events, found, account } = await crush.read(await inProject(home), {
    unit: "rows",
  });
  const text = JSON.stringify(golden(events)).replaceAll(
    JSON.stringify(home.path).slice(1, -1),
    "~",
  );
  const expected = JSON.parse(crush.text("GOLDEN-talk.json"));
  assert.deepEqual(JSON.parse(text), expected);
  assert.deepEqual(found, []);
  assert.deepEqual([account.events, account.side], [16, { files: 1, read_files: 1 }]);
});

Deno.test("Crush goes on from its summary in force, not from one that failed", async () => {
  await using home = await project();
  assert.deepEqual(await crush.said(await inProject(home)), [
    ["user", "The parser was mended."],
    ["user", "Go on."],
    ["user", "Show me the picture"],
    ["assistant", ["tool_call"]],
    ["tool", ["tool_result"]],
    ["assistant", "There it is."],
  ]);
});

Deno.test("a sub-agent of Crush is a thread, and its cost counts there alone", async () => {
  await using home = await project();
  const session = await inProject(home);
  const reader = crushAgent.open(session);
  const [main, agent] = await reader.threads();
  assert.deepEqual([main?.id, main?.records], ["main", 15]);
  assert.deepEqual(
    [agent?.id, agent?.kind, agent?.title, agent?.records],
    [SUBAGENT, "subagent", "Where are dates read?", 2],
  );
  const responses = (await Array.fromAsync(reader.usage())).flat();
  const spent = responses.filter(({ usage, cost_usd }) =>
    cost_usd !== undefined || usage.input !== undefined
  );
  assert.deepEqual(
    spent.map(({ thread, usage, cost_usd }) => [
      thread,
      usage.input,
      usage.output,
      cost_usd,
    ]),
    [[undefined, 1200, 150, 0.5], [SUBAGENT, 100, 20, 0.25]],
  );
});

Deno.test("the sessions of Crush are found in every project that it lists", async () => {
  await using home = await makeHome({
    [`${PROJECT}/.crush/crush.db`]: storeBytes(),
    "data/crush.db": storeBytes("UPDATE sessions SET id = 'b' || id, parent_session_id = NULL;"),
  });
  const projects = [
    { path: join(home.path, PROJECT), data_dir: join(home.path, PROJECT, ".crush") },
    { path: "/elsewhere", data_dir: join(home.path, "data") },
    { path: "/gone", data_dir: "/gone/.crush" },
  ];
  const list = join(home.path, ".local/share/crush");
  await Deno.mkdir(list, { recursive: true });
  await Deno.writeTextFile(join(list, "projects.json"), JSON.stringify({ projects }));
  const { locate } = await loadLocator("crush");
  const all = await Array.fromAsync(locate({ ...home.environment, os: "linux" }));
  assert.deepEqual(all.map(({ id, cwd }) => [id.slice(0, 5), cwd]), [
    [TALK.slice(0, 5), join(home.path, PROJECT)],
    [OTHER.slice(0, 5), join(home.path, PROJECT)],
    ["ba2$$", "/elsewhere"],
    [`b${TALK.slice(0, 4)}`, "/elsewhere"],
    [`b${OTHER.slice(0, 4)}`, "/elsewhere"],
  ]);
});

Deno.test("a damaged row of Crush costs itself", async () => {
  await using home = await project("UPDATE messages SET parts = '[{\"type' WHERE id = 'a1';");
  const read = await crush.read(await inProject(home), { unit: "rows" });
  assert.deepEqual(codesOf(read), ["malformed-line"]);
  assert.equal(payloadsOf(read.events, "user_message").length, 4);
});

Deno.test("people see a command in an answer of Crush, which is of no known version", async () => {
  const parts = '[{"type":"shell_command","data":{"command":"go test ./...","output":"all pass"}}]';
  await using home = await project(`UPDATE messages SET parts = '${parts}' WHERE id = 'a1';`);
  const { events } = await crush.read(await inProject(home), { unit: "rows" });
  const texts = payloadsOf(events, "notice").map(({ text }) => text);
  assert.equal(texts[1], "go test ./...\nall pass");
});

Deno.test("an edit of Crush is found with its prompt", async () => {
  await using home = await project();
  const edits = await readEdits(await inProject(home));
  assert.deepEqual(edits.map(({ path, change, prompt }) => [path, change.kind, prompt?.text]), [
    ["parse.go", "replacements", "Make the tests pass"],
  ]);
});

Deno.test("Crush resumes a session in its project, and elsewhere by its data folder", () => {
  const { resumeCommand } = descriptorOf("crush");
  const session: AgentSession = {
    agent: "crush",
    id: TALK,
    path: join("/p", ".crush", "crush.db"),
  };
  assert.deepEqual(resumeCommand({ ...session, cwd: "/p" })?.argv, ["crush", "--session", TALK]);
  assert.deepEqual(resumeCommand({ ...session, cwd: "/q" })?.argv, [
    "crush",
    "--data-dir",
    join("/p", ".crush"),
    "--session",
    TALK,
  ]);
});
