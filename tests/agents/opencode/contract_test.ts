import { opencodeAgent, opencodeFormat } from "../../../lib/agents/opencode/opencode_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";
import { databaseOf, exported, storageFiles } from "./_store.ts";

const small = exported("small");
const everything = exported("everything");
const compaction = exported("compaction");

testAgentContract("opencode in its database", {
  agent: opencodeAgent,
  format: opencodeFormat,
  files: { ".local/share/opencode/opencode.db": databaseOf(small, everything, compaction) },
  ids: ["ses_small", "ses_everything", "ses_compaction"],
  cwd: "/home/ada/src/ledger",
  unit: "rows",
});

testAgentContract("opencode in its older files", {
  agent: opencodeAgent,
  format: opencodeFormat,
  files: { ...storageFiles(small), ...storageFiles(everything), ...storageFiles(compaction) },
  ids: ["ses_small", "ses_everything", "ses_compaction"],
  cwd: "/home/ada/src/ledger",
  unit: "rows",
});

testAgentContract("opencode where OPENCODE_DB names it", {
  agent: opencodeAgent,
  format: opencodeFormat,
  files: { "state/elsewhere.db": databaseOf(small) },
  variables: { OPENCODE_DB: "~/state/elsewhere.db", XDG_DATA_HOME: "~/data" },
  ids: ["ses_small"],
  unit: "rows",
  damage: false,
});
