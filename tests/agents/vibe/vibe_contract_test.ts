import { vibeAgent, vibeFormat } from "../../../lib/agents/vibe/vibe_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/vibe/${name}`, import.meta.url);
}

const ROOT = "own/logs/session";
const TOOLS = "7c2a1d0f-63d2-4a7b-8e2f-1b5e7a2c3d4e";
const PLAIN = "6b1f0c9e-52c1-4f6a-9d1e-0a4d6f1b2c3d";
const TOOLS_FOLDER = `${ROOT}/session_20260704_191000_7c2a1d0f`;
const SUBAGENT = "agents/explore_20260704_191001_c0ffee00";

const HOME = {
  agent: vibeAgent,
  format: vibeFormat,
  variables: { VIBE_HOME: "~/own" },
  files: {
    [`${TOOLS_FOLDER}/messages.jsonl`]: fixture("tools/messages.jsonl"),
    [`${TOOLS_FOLDER}/meta.json`]: fixture("tools/meta.json"),
    [`${TOOLS_FOLDER}/${SUBAGENT}/messages.jsonl`]: fixture(`tools/${SUBAGENT}/messages.jsonl`),
    [`${TOOLS_FOLDER}/${SUBAGENT}/meta.json`]: fixture(`tools/${SUBAGENT}/meta.json`),
    [`${ROOT}/session_20260704_190500_6b1f0c9e/messages.jsonl`]: fixture("plain/messages.jsonl"),
    [`${ROOT}/session_20260704_190500_6b1f0c9e/meta.json`]: fixture("plain/meta.json"),
    [`${ROOT}/session_20260706_080000_emptyone/meta.json`]: fixture("plain/meta.json"),
    [`${ROOT}/.session_index.json`]: "{}",
  },
  ids: [TOOLS, PLAIN],
  cwd: "/home/dev/my-app",
};

testAgentContract("vibe", HOME);
