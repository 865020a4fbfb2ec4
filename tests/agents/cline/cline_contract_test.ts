import { clineAgent, clineFormat } from "../../../lib/agents/cline/cline_agent.ts";
import { roo } from "../../../lib/agents/cline/family.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";
import { clineFiles } from "./_cline_home.ts";

testAgentContract("cline", {
  agent: clineAgent,
  format: clineFormat,
  files: clineFiles("core"),
  ids: ["1795793566583_ahli1", "1795793698514_c7jgc"],
  id: "1795793698514_c7jgc",
  cwd: "/home/dev/my-app",
  all_or_nothing: true,
});

testAgentContract("cline's extension", {
  agent: clineAgent,
  format: clineFormat,
  files: clineFiles("extension"),
  ids: ["1767225600000", "1734567890123"],
  cwd: "/home/dev/old-app",
  all_or_nothing: true,
});

testAgentContract("roo", {
  agent: await roo.loadReader(),
  files: clineFiles("roo"),
  ids: ["0199c0de-0000-7000-8000-000000000001"],
  cwd: "/home/dev/port",
  all_or_nothing: true,
});
