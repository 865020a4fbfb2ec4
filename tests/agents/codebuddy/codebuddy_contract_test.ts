import { codebuddyAgent } from "../../../lib/agents/codebuddy/codebuddy_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/codebuddy/${name}`, import.meta.url);
}

const ID = "0c1d2e3f-0000-4000-8000-00000000000";
const PROJECT = "projects/home-dev-my-app";
const SUBAGENT = "subagents/agent-8c36227f";

const HOME = {
  agent: codebuddyAgent,
  files: {
    [`.codebuddy/${PROJECT}/${ID}1.jsonl`]: fixture("tools.jsonl"),
    [`.codebuddy/${PROJECT}/${ID}1.meta.json`]: fixture("tools.meta.json"),
    [`.codebuddy/${PROJECT}/${ID}1/${SUBAGENT}.jsonl`]: fixture(`tools/${SUBAGENT}.jsonl`),
    [`.codebuddy/${PROJECT}/${ID}1/${SUBAGENT}.meta.json`]: fixture(`tools/${SUBAGENT}.meta.json`),
    [`.codebuddy/${PROJECT}/${ID}2.jsonl`]: fixture("compacted.jsonl"),
    [`.codebuddy/${PROJECT}/${ID}2.meta.json`]: fixture("compacted.meta.json"),
    [`.codebuddy/${PROJECT}/agent-0000.jsonl`]: fixture(`tools/${SUBAGENT}.jsonl`),
    [".codebuddy/history.jsonl"]: "{}\n",
  },
  ids: [`${ID}1`, `${ID}2`],
  cwd: "/home/dev/my-app",
};

testAgentContract("codebuddy", HOME);
testAgentContract("codebuddy, compacted", { ...HOME, id: `${ID}2` });
testAgentContract("codebuddy, elsewhere", {
  agent: codebuddyAgent,
  variables: { CODEBUDDY_CONFIG_DIR: "~/own" },
  files: { [`own/${PROJECT}/${ID}3.jsonl`]: fixture("cleared.jsonl") },
  ids: [`${ID}3`],
});
