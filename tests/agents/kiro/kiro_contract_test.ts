import { kiroAgent, kiroFormat } from "../../../lib/agents/kiro/kiro_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";
import { COMPACTED, CONVERSATION, databaseBytes, fixture, OLDER, TOOLS } from "./_store.ts";

const HOME = {
  agent: kiroAgent,
  format: kiroFormat,
  files: {
    [`.kiro/sessions/cli/${TOOLS}.jsonl`]: fixture("tools.jsonl"),
    [`.kiro/sessions/cli/${TOOLS}.json`]: fixture("tools.json"),
    [`.kiro/sessions/cli/${COMPACTED}.jsonl`]: fixture("compaction.jsonl"),
    [`.kiro/sessions/cli/${COMPACTED}.json`]: fixture("compaction.json"),
  },
  ids: [TOOLS, COMPACTED],
  cwd: "/home/dev/my-app",
};

testAgentContract("kiro", HOME);
testAgentContract("kiro, compacted", { ...HOME, id: COMPACTED });
testAgentContract("kiro in its database", {
  agent: kiroAgent,
  format: kiroFormat,
  files: { "own/kiro-cli/data.sqlite3": databaseBytes() },
  variables: { XDG_DATA_HOME: "~/own" },
  ids: [OLDER, CONVERSATION],
  cwd: "/home/dev/my-app",
  unit: "rows",
});
