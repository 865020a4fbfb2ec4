/** The contract of a reader, on a home of Codex with threads of all its ages. */
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import { codexFormat } from "../../../lib/agents/codex/codex_format.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";
import { CODEX_FILES, CODEX_IDS, fixture } from "./_codex_home.ts";

testAgentContract("codex", {
  agent: codexAgent,
  format: codexFormat,
  files: CODEX_FILES,
  ids: CODEX_IDS,
  id: "0199aaaa-0000-7000-8000-000000000001",
  cwd: "/home/ada/src/ledger",
});

testAgentContract("codex, in another home", {
  agent: codexAgent,
  files: {
    "elsewhere/sessions/2026/03/01/rollout-2026-03-01T09-00-00-0199aaaa-0000-7000-8000-000000000016.jsonl":
      fixture("repeated.jsonl"),
  },
  variables: { CODEX_HOME: "~/elsewhere" },
  ids: ["0199aaaa-0000-7000-8000-000000000016"],
});
