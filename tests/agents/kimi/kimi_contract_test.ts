import { kimiAgent, kimiFormat } from "../../../lib/agents/kimi/kimi_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/kimi/${name}`, import.meta.url);
}

const ROOT = "own/sessions/wd_my-app_e0235863bf57";
const TOOLS = "session_4eb8ada6-dcc3-45a7-b12f-5cfa441b496d";
const OLD = "session_0d9c3faa-e7fd-4a01-b245-8df60b946732";

testAgentContract("kimi", {
  agent: kimiAgent,
  format: kimiFormat,
  variables: { KIMI_CODE_HOME: "~/own" },
  files: {
    [`${ROOT}/${OLD}/agents/main/wire.jsonl`]: fixture("old/agents/main/wire.jsonl"),
    [`${ROOT}/${OLD}/state.json`]: fixture("old/state.json"),
    [`${ROOT}/${TOOLS}/agents/main/wire.jsonl`]: fixture("tools/agents/main/wire.jsonl"),
    [`${ROOT}/${TOOLS}/agents/agent-0/wire.jsonl`]: fixture("tools/agents/agent-0/wire.jsonl"),
    [`${ROOT}/${TOOLS}/state.json`]: fixture("tools/state.json"),
    [`${ROOT}/session_empty/state.json`]: "{}",
    "own/session_index.jsonl": "",
    "own/sessions/.index-cache/scan.json": "{}",
  },
  ids: [TOOLS, OLD],
  id: OLD,
  cwd: "/home/dev/my-app",
});
