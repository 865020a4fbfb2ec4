import {
  antigravityAgent,
  antigravityFormat,
} from "../../../lib/agents/antigravity/antigravity_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/antigravity/${name}`, import.meta.url);
}

const BRAIN = ".gemini/antigravity-cli/brain";
const TOOLS = "7c2a1d0f-63d2-4a7b-8e2f-1b5e7a2c3d4e";
const SHORT = "6b1f0c9e-52c1-4f6a-9d1e-0a4d6f1b2c3d";
const REVIEWER = "4d9a1f00-0000-4000-8000-0000000000c1";
const LOGS = ".system_generated/logs";

testAgentContract("antigravity", {
  agent: antigravityAgent,
  format: antigravityFormat,
  files: {
    [`${BRAIN}/${TOOLS}/${LOGS}/transcript_full.jsonl`]: fixture("tools/transcript_full.jsonl"),
    [`${BRAIN}/${TOOLS}/${LOGS}/transcript.jsonl`]: "{}\n",
    [`${BRAIN}/${TOOLS}/.system_generated/tasks/task-7.log`]: "ok\n",
    [`${BRAIN}/${REVIEWER}/${LOGS}/transcript_full.jsonl`]: fixture(
      "reviewer/transcript_full.jsonl",
    ),
    [`.gemini/antigravity-ide/brain/${SHORT}/${LOGS}/transcript.jsonl`]: fixture(
      "short/transcript.jsonl",
    ),
    [`${BRAIN}/empty/task.md`]: "- [ ] Nothing yet",
    ".gemini/antigravity-cli/history.jsonl": fixture("history.jsonl"),
  },
  ids: [TOOLS, SHORT],
  cwd: "/home/dev/my-app",
});
