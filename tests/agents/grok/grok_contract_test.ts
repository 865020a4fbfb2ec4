import { grokAgent, grokFormat } from "../../../lib/agents/grok/grok_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/grok/${name}`, import.meta.url);
}

const ROOT = "own/sessions/%2Fhome%2Fdev%2Fmy-app";
const TOOLS = "01a21d9a-8429-7131-a725-8d3c517c9dec";
const EXPLORE = "01a21d9a-893c-7212-9733-eb2bef1605c4";
const CHECKPOINT = "compaction_checkpoints/fe614fc4-82a4-419e-adf9-c4eb8e1ae23a.json";
const PLAIN = "019f75d0-aaaa-7bbb-8ccc-b0a1b2c3d4e5";

testAgentContract("grok", {
  agent: grokAgent,
  format: grokFormat,
  variables: { GROK_HOME: "~/own" },
  files: {
    [`${ROOT}/${PLAIN}/updates.jsonl`]: fixture("explore/updates.jsonl"),
    [`${ROOT}/${TOOLS}/updates.jsonl`]: fixture("tools/updates.jsonl"),
    [`${ROOT}/${TOOLS}/summary.json`]: fixture("tools/summary.json"),
    [`${ROOT}/${TOOLS}/${CHECKPOINT}`]: fixture(`tools/${CHECKPOINT}`),
    [`${ROOT}/${TOOLS}/subagents/${EXPLORE}/meta.json`]: fixture(
      `tools/subagents/${EXPLORE}/meta.json`,
    ),
    [`${ROOT}/${EXPLORE}/updates.jsonl`]: fixture("explore/updates.jsonl"),
    [`${ROOT}/${EXPLORE}/summary.json`]: fixture("explore/summary.json"),
    [`${ROOT}/prompt_history.jsonl`]: "{}\n",
    [`${ROOT}/empty/summary.json`]: "{}",
  },
  ids: [TOOLS, PLAIN],
  id: PLAIN,
  cwd: "/home/dev/my-app",
});
