import assert from "node:assert/strict";
import { join } from "node:path";
import { antigravityAgent } from "../../../lib/agents/antigravity/antigravity_agent.ts";
import { makeHome } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";

const antigravity = new Reading(antigravityAgent);

const BRAIN = ".gemini/antigravity-cli/brain";
const LOGS = ".system_generated/logs";

Deno.test("a printed transcript of Antigravity starts no subagent", async () => {
  await using home = await makeHome(antigravity.placed(
    `${BRAIN}/7c2a1d0f-63d2-4a7b-8e2f-1b5e7a2c3d4e/${LOGS}`,
    "tools",
    "transcript_full.jsonl",
  ));
  const printed = JSON.stringify(antigravity.text("tools/transcript_full.jsonl"));
  const other = join(home.path, BRAIN, "0a", LOGS);
  Deno.mkdirSync(other, { recursive: true });
  const line = `{"step_index":0,"source":"MODEL","type":"RUN_COMMAND","content":${printed}}\n`;
  Deno.writeTextFileSync(join(other, "transcript_full.jsonl"), line);
  const session = await antigravity.only(join(other, "transcript_full.jsonl"));
  assert.equal((await antigravityAgent.open(session).threads()).length, 1);
});
