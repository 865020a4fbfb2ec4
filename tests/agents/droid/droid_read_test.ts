import assert from "node:assert/strict";
import { join } from "node:path";
import { droidAgent } from "../../../lib/agents/droid/droid_agent.ts";
import { Reading } from "../_reading.ts";
import { makeHome } from "../../_support/agent_contract.ts";

const droid = new Reading(droidAgent);

const TOOLS = "a44ad01e-aa38-4c34-9e46-48c5b5ed6490";
const SUBAGENT = "b55be12f-aa38-4c34-9e46-48c5b5ed6491";
const FOLDER = ".factory/sessions/-home-dev-my-app";

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
