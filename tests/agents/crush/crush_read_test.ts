import assert from "node:assert/strict";
import { join } from "node:path";
import { loadLocator } from "../../../lib/library/machine/locators.ts";
import { descriptorOf } from "../../../lib/library/machine/registry.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { makeHome } from "../../_support/agent_contract.ts";
import { OTHER, storeBytes, TALK } from "./_store.ts";

const PROJECT = "src/app";

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
