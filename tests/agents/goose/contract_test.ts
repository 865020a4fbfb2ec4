import { gooseAgent, gooseFormat } from "../../../lib/agents/goose/goose_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";
import { databaseOf, fixture, talk } from "./_store.ts";

const FOLDER = Deno.build.os === "windows"
  ? "AppData/Roaming/Block/goose/data/sessions"
  : ".local/share/goose/sessions";

testAgentContract("goose in its database", {
  agent: gooseAgent,
  format: gooseFormat,
  files: { [`${FOLDER}/sessions.db`]: databaseOf(talk("talk"), talk("compacted")) },
  ids: ["20251121_1"],
  cwd: "/home/ada/src/ledger",
  unit: "rows",
});

testAgentContract("goose in its older files", {
  agent: gooseAgent,
  format: gooseFormat,
  files: { [`${FOLDER}/20250605_120000.jsonl`]: fixture("20250605_120000.jsonl") },
  ids: ["20250605_120000"],
  cwd: "/home/ada/src/ledger",
});

testAgentContract("goose below GOOSE_PATH_ROOT", {
  agent: gooseAgent,
  format: gooseFormat,
  files: { "own/data/sessions/sessions.db": databaseOf(talk("compacted")) },
  variables: { GOOSE_PATH_ROOT: "~/own" },
  damage: false,
  ids: ["20251121_2"],
  unit: "rows",
});
