import { autohandAgent, autohandFormat } from "../../../lib/agents/autohand/autohand_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/autohand/${name}`, import.meta.url);
}

const TOOLS = "5d2a23de-52f0-43fd-a8b1-000000000001-1795293685886";
const PLAIN = "5d2a23de-52f0-43fd-a8b1-000000000002-1795293685999";

const HOME = {
  agent: autohandAgent,
  format: autohandFormat,
  variables: { AUTOHAND_HOME: "~/own" },
  files: {
    [`own/sessions/${TOOLS}/metadata.json`]: fixture("tools/metadata.json"),
    [`own/sessions/${TOOLS}/state.json`]: fixture("tools/state.json"),
    [`own/sessions/${TOOLS}/conversation.jsonl`]: fixture("tools/conversation.jsonl"),
    [`own/sessions/${PLAIN}/metadata.json`]: fixture("plain/metadata.json"),
    [`own/sessions/${PLAIN}/conversation.jsonl`]: fixture("plain/conversation.jsonl"),
    "own/sessions/index.json": '{"sessions":[{"id":1}],"byProject":{}}',
    "own/sessions/index.json.lock/x.owner": "",
  },
  ids: [TOOLS, PLAIN],
  cwd: "/home/dev/my-app",
};

testAgentContract("autohand", HOME);
