import { crushAgent, crushFormat } from "../../../lib/agents/crush/crush_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";
import { databaseBytes, OTHER, TALK } from "./_store.ts";

const HOME = { agent: crushAgent, format: crushFormat, unit: "rows" as const };

testAgentContract("crush in the home", {
  ...HOME,
  files: { ".crush/crush.db": databaseBytes() },
  ids: [TALK, OTHER],
});

testAgentContract("crush in the working directory", {
  ...HOME,
  files: { "src/app/.crush/crush.db": databaseBytes() },
  variables: { PWD: "~/src/app/lib" },
  damage: false,
  ids: [TALK, OTHER],
});
