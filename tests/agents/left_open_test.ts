/** Which of the small sessions in `testdata/agents` end in the middle of a turn. */
import assert from "node:assert/strict";
import { basename } from "node:path";
import { agentFiles } from "../_support/agent_files.ts";

/** Those whose last record is a prompt, a call, a result or an answer that was cut off. */
const LEFT_OPEN: Readonly<Record<string, readonly string[]>> = {
  aider: ["losses.md", "plain.md"],
  auggie: ["tools.json"],
  claude: [
    "compaction.jsonl",
    "interrupted.jsonl",
    "last_prompt.jsonl",
    "minimal.jsonl",
    "notices.jsonl",
  ],
  codex: ["interrupted.jsonl", "unknown.jsonl"],
  copilot: ["images.jsonl"],
  droid: ["open.jsonl"],
  cursor: ["plain.jsonl"],
  fen: ["compaction.jsonl", "headerless.jsonl"],
  gemini: ["not_sent.jsonl"],
  grok: ["updates.jsonl"],
  keen: ["tools.jsonl"],
  kimi: ["wire.jsonl"],
  opencode: ["compaction.json"],
  openhands: ["base_state.json"],
  pi: [
    "bom.jsonl",
    "compaction_chained.jsonl",
    "compaction_keeps_none.jsonl",
    "compaction_lost_entry.jsonl",
    "damaged_parent.jsonl",
    "glued.jsonl",
    "missing_parent.jsonl",
    "unsent.jsonl",
    "v1.jsonl",
  ],
  qwen: ["damaged.jsonl"],
  vscode: [
    "5c0ffee0-0000-4000-8000-000000000001.jsonl",
    "5c0ffee0-0000-4000-8000-000000000002.json",
  ],
};

Deno.test("small sessions of every agent are interrupted where their last turn was left open", async () => {
  const found: Record<string, Set<string>> = {};
  for await (const { agent, session } of agentFiles()) {
    if (!session.path.includes("/testdata/")) continue;
    const quick = await agent.open(session).summarize();
    const exact = await agent.open(session).summarize({ exact: true });
    assert.equal(quick?.status, exact?.status, session.path);
    if (quick?.status === "interrupted") {
      (found[agent.name] ??= new Set()).add(basename(session.path));
    }
  }
  const told = Object.entries(found).map(([name, files]) => [name, [...files].sort()]);
  assert.deepEqual(Object.fromEntries(told), LEFT_OPEN);
});
