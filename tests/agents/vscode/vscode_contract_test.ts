import { vscodeAgent, vscodeFormat } from "../../../lib/agents/vscode/vscode_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/vscode/${name}`, import.meta.url);
}

const LOG = "5c0ffee0-0000-4000-8000-000000000001";
const DOCUMENT = "5c0ffee0-0000-4000-8000-000000000002";
const SERVER = ".vscode-server/data/User";
const OTHER = `${SERVER}/workspaceStorage/fedcba9876543210fedcba9876543210`;
const WORKSPACE = `${SERVER}/workspaceStorage/0123456789abcdef0123456789abcdef`;

const CASE = {
  agent: vscodeAgent,
  format: vscodeFormat,
  files: {
    [`${WORKSPACE}/workspace.json`]: '{"folder":"file:///home/dev/my-app"}',
    [`${WORKSPACE}/chatSessions/${LOG}.jsonl`]: fixture(`${LOG}.jsonl`),
    // A log took the place of this document.
    [`${WORKSPACE}/chatSessions/${LOG}.json`]: "{}",
    [`${WORKSPACE}/state.vscdb`]: "",
    [`${OTHER}/workspace.json`]: '{"folder":"vscode-remote://wsl%2Bubuntu/home/dev/other"}',
    [`${OTHER}/chatSessions/${DOCUMENT}.json`]: fixture(`${DOCUMENT}.json`),
  },
  ids: [LOG, DOCUMENT],
  cwd: "/home/dev/my-app",
};

testAgentContract("vscode", CASE);
testAgentContract("vscode document", { ...CASE, id: DOCUMENT, all_or_nothing: true });
