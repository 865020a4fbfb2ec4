import { qwenAgent } from "../../../lib/agents/qwen/qwen_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/qwen/${name}`, import.meta.url);
}

const ID = "01a10000-0000-4000-8000-00000000000";
const CHATS = "projects/-home-dev-my-app/chats";

const HOME = {
  agent: qwenAgent,
  files: {
    [`.qwen/${CHATS}/${ID}1.jsonl`]: fixture("tools.jsonl"),
    [`.qwen/${CHATS}/${ID}1.ledger.jsonl`]: "{}\n",
    [`.qwen/${CHATS}/archive/${ID}2.jsonl`]: fixture("branches.jsonl"),
    [`.qwen/tmp/0f3c/chats/${ID}3.jsonl`]: fixture("compression.jsonl"),
    [`.qwen/${CHATS}/${ID}4.jsonl`]: fixture("damaged.jsonl"),
  },
  ids: [`${ID}1`, `${ID}2`, `${ID}3`, `${ID}4`],
  cwd: "/home/dev/my-app",
};

testAgentContract("qwen", HOME);
testAgentContract("qwen, branches", { ...HOME, id: `${ID}2` });
testAgentContract("qwen, elsewhere", {
  agent: qwenAgent,
  variables: { QWEN_HOME: "~/other", QWEN_RUNTIME_DIR: "~/run" },
  files: { [`run/${CHATS}/${ID}3.jsonl`]: fixture("compression.jsonl") },
  ids: [`${ID}3`],
});
