import { fenAgent, fenFormat } from "../../../lib/agents/fen/fen_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/fen/${name}`, import.meta.url);
}

const FOLDER = "state/fen/sessions/--home-dev-my-app--";
const TOOLS = "01a1ffd9-0000-7a08-9c23-000000000001";
const COMPACTION = "01a1ffd9-0000-7a08-9c23-000000000002";
const FORWARD = "01a1ffd9-0000-7a08-9c23-000000000003";
const UNANSWERED = "v1sess";

const HOME = {
  agent: fenAgent,
  format: fenFormat,
  variables: { XDG_STATE_HOME: "~/state" },
  files: {
    [`${FOLDER}/2026-08-01T10-00-00_${TOOLS}.jsonl`]: fixture("tools.jsonl"),
    [`${FOLDER}/2026-08-01T10-00-00_${TOOLS}.jsonl.repaired.jsonl`]: fixture("tools.jsonl"),
    [`${FOLDER}/2026-08-01T10-00-00_${TOOLS}.jsonl.lock/owner`]: "1",
    [`${FOLDER}/2026-08-02T10-00-00_${COMPACTION}.jsonl`]: fixture("compaction.jsonl"),
    [`${FOLDER}/2026-08-03T10-00-00_${FORWARD}.jsonl`]: fixture("forward.jsonl"),
    [`${FOLDER}/2026-08-05T10-00-00_${UNANSWERED}.jsonl`]: fixture("unanswered.jsonl"),
  },
  ids: [TOOLS, COMPACTION, FORWARD, UNANSWERED],
  cwd: "/home/dev/my-app",
};

testAgentContract("fen", HOME);
testAgentContract("fen, compaction", { ...HOME, id: COMPACTION });
