import { keenAgent, keenFormat } from "../../../lib/agents/keen/keen_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/keen/${name}`, import.meta.url);
}

const NAMESPACE = ".keen/sessions/home-dev-shop-545e4e1f71";

function at(id: string): string {
  return `${NAMESPACE}/${id}/transcript_events.jsonl`;
}

const PLAIN = "0b6c0a52-5f0e-4f5e-8a7e-2f6f1a3b9c01";
const TOOLS = "0b6c0a52-5f0e-4f5e-8a7e-2f6f1a3b9c02";
const COMPACTION = "0b6c0a52-5f0e-4f5e-8a7e-2f6f1a3b9c03";

const HOME = {
  agent: keenAgent,
  format: keenFormat,
  files: {
    [at(PLAIN)]: fixture("plain.jsonl"),
    [at(TOOLS)]: fixture("tools.jsonl"),
    [at(COMPACTION)]: fixture("compaction.jsonl"),
    [`${NAMESPACE}/notes.txt`]: "not a session",
    [`${NAMESPACE}/empty/other.jsonl`]: "{}\n",
  },
  ids: [PLAIN, TOOLS, COMPACTION],
  cwd: "/home/dev/shop",
};

testAgentContract("keen", HOME);
testAgentContract("keen, tools", { ...HOME, id: TOOLS });
testAgentContract("keen, compaction", { ...HOME, id: COMPACTION });
