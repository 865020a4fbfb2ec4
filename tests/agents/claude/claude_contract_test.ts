import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

const FOLDER = ".claude/projects/-home-dev-src-app";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/claude/${name}.jsonl`, import.meta.url);
}

function id(number: number): string {
  return `c0ffee00-0000-4000-8000-0000000000${String(number).padStart(2, "0")}`;
}

/** Fixtures that are sessions of their own, by the number in their id. */
const SESSIONS: Readonly<Record<number, string>> = {
  1: "turn",
  2: "small",
  3: "compaction",
  4: "preserved_segment",
  5: "preserved_relinked",
  6: "preserved_messages",
  7: "rewound",
  8: "rewound_and_on",
  9: "branches",
  10: "sidechain",
  11: "progress",
  12: "missing_parent",
  15: "interrupted",
  16: "images",
  17: "titles",
  18: "ai_title",
  19: "last_prompt",
  20: "caveat_first",
  21: "queued",
  22: "fork",
  23: "minimal",
  24: "commands",
  25: "progress_lost",
  26: "unknown_link",
  27: "compaction_lost",
  28: "fork_compacted",
  29: "mention",
  30: "local_command",
  31: "roots",
  32: "title_preamble",
  33: "task_notification",
  34: "notices",
};

testAgentContract("claude", {
  agent: claudeAgent,
  files: {
    ...Object.fromEntries(
      Object.entries(SESSIONS).map(([number, name]) => [
        `${FOLDER}/${id(Number(number))}.jsonl`,
        fixture(name),
      ]),
    ),
    [`${FOLDER}/agent-1234.jsonl`]: fixture("small"),
    [`${FOLDER}/${id(1)}/subagents/agent-5678.jsonl`]: fixture("small"),
    [`${FOLDER}/sessions-index.json`]: "{}",
  },
  ids: Object.keys(SESSIONS).map((number) => id(Number(number))),
  cwd: "/home/dev/src/app",
  id: id(2),
});

testAgentContract("claude, elsewhere", {
  agent: claudeAgent,
  files: { [`other/projects/-x/${id(21)}.jsonl`]: fixture("queued") },
  ids: [id(21)],
  variables: { CLAUDE_CONFIG_DIR: "~/other" },
});
