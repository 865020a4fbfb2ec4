import { droidAgent, droidFormat } from "../../../lib/agents/droid/droid_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/droid/${name}`, import.meta.url);
}

const FOLDER = "sessions/-home-dev-my-app";
const TOOLS = "a44ad01e-aa38-4c34-9e46-48c5b5ed6490";
const SUBAGENT = "b55be12f-aa38-4c34-9e46-48c5b5ed6491";
const COMPRESSED = "c66cf23a-aa38-4c34-9e46-48c5b5ed6492";

const HOME = {
  agent: droidAgent,
  format: droidFormat,
  files: {
    [`.factory/${FOLDER}/${TOOLS}.jsonl`]: fixture("tools.jsonl"),
    [`.factory/${FOLDER}/${TOOLS}.settings.json`]: fixture("tools.settings.json"),
    [`.factory/${FOLDER}/${SUBAGENT}.jsonl`]: fixture("subagent.jsonl"),
    [`.factory/${FOLDER}/${SUBAGENT}.settings.json`]: fixture("subagent.settings.json"),
    [`.factory/${FOLDER}/${COMPRESSED}.jsonl`]: fixture("compressed.jsonl"),
    [`.factory/${FOLDER}/${COMPRESSED}.settings.json`]: fixture("compressed.settings.json"),
    [`.factory/${FOLDER}/early-1.jsonl`]: fixture("early.jsonl"),
  },
  ids: [TOOLS, COMPRESSED, "early-1"],
  cwd: "/home/dev/my-app",
};

testAgentContract("droid", HOME);
testAgentContract("droid, compressed", { ...HOME, id: COMPRESSED });
testAgentContract("droid, elsewhere", {
  agent: droidAgent,
  variables: { FACTORY_HOME_OVERRIDE: "~/other" },
  files: { [`other/.factory/${FOLDER}/early-1.jsonl`]: fixture("early.jsonl") },
  ids: ["early-1"],
});
