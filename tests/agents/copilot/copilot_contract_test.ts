import { copilotAgent, copilotFormat } from "../../../lib/agents/copilot/copilot_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/copilot/${name}`, import.meta.url);
}

const ID = "02a10000-0000-4000-8000-00000000000";

const HOME = {
  agent: copilotAgent,
  format: copilotFormat,
  files: {
    [`.copilot/session-state/${ID}1/events.jsonl`]: fixture("tools.jsonl"),
    [`.copilot/session-state/${ID}2/events.jsonl`]: fixture("compaction.jsonl"),
    [`.copilot/session-state/${ID}2/workspace.yaml`]: fixture("workspace.yaml"),
    [`.copilot/session-state/${ID}2.jsonl`]: fixture("tools.jsonl"),
    [`.copilot/session-state/${ID}3.jsonl`]: fixture("images.jsonl"),
    [`.copilot/history-session-state/session_${ID}4_1759957816398.json`]: fixture("legacy.json"),
    [`.copilot/history-session-state/session_${ID}1_1759957816398.json`]: fixture("legacy.json"),
  },
  ids: [`${ID}1`, `${ID}2`, `${ID}3`, `${ID}4`],
  cwd: "/home/dev/my-app",
};

testAgentContract("copilot", HOME);
testAgentContract("copilot, compaction", { ...HOME, id: `${ID}2` });
testAgentContract("copilot, document", {
  agent: copilotAgent,
  format: copilotFormat,
  variables: { COPILOT_HOME: "~/own" },
  files: {
    [`own/history-session-state/session_${ID}4_1759957816398.json`]: fixture("legacy.json"),
  },
  ids: [`${ID}4`],
});
