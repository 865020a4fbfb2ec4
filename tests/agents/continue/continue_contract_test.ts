import { continueAgent, continueFormat } from "../../../lib/agents/continue/continue_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/continue/${name}`, import.meta.url);
}

const CLI = "c6937ed8-a473-4780-b57b-7eb2724bf1c0";
const EDITOR = "1f0e9d8c-5670-4fc6-b2db-2d7c5a55668e";
const COMPACTED = "2a0e9d8c-5670-4fc6-b2db-2d7c5a55668e";

const HOME = {
  agent: continueAgent,
  format: continueFormat,
  files: {
    [`.continue/sessions/${CLI}.json`]: fixture("cli.json"),
    [`.continue/sessions/${EDITOR}.json`]: fixture("editor.json"),
    [`.continue/sessions/${COMPACTED}.json`]: fixture("compacted.json"),
    ".continue/sessions/sessions.json": fixture("sessions.json"),
    ".continue/config.yaml": "name: Local\n",
  },
  ids: [CLI, EDITOR, COMPACTED],
  cwd: "/home/dev/my-app",
  all_or_nothing: true,
};

testAgentContract("continue", { ...HOME, id: COMPACTED });
testAgentContract("continue, an editor", { ...HOME, id: EDITOR });
testAgentContract("continue, elsewhere", {
  agent: continueAgent,
  variables: { CONTINUE_GLOBAL_DIR: "~/other" },
  files: { [`other/sessions/${CLI}.json`]: fixture("cli.json") },
  ids: [CLI],
  all_or_nothing: true,
});
