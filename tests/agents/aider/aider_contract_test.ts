import { aiderAgent as agent, aiderFormat } from "../../../lib/agents/aider/aider_agent.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

/** Ids hold the digest of the file's path, which is another in each home: here they go without. */
function idOf({ id }: AgentSession): string {
  return id.replace(/-[0-9a-f]{10}(?=$|-\d+$)/, "");
}

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/aider/${name}`, import.meta.url);
}

testAgentContract("aider", {
  agent,
  idOf,
  format: aiderFormat,
  files: { "shop/.aider.chat.history.md": fixture("plain.md") },
  variables: { AIDER_CHAT_HISTORY_FILE: "~/shop/.aider.chat.history.md" },
  ids: ["20261009T100000", "20261010T093000"],
});

testAgentContract("aider, last session", {
  agent,
  idOf,
  format: aiderFormat,
  files: { ".aider.chat.history.md": fixture("plain.md") },
  ids: ["20261010T093000", "20261009T100000"],
});
