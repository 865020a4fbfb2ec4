import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { loadAgent } from "../../lib/library/machine/registry.ts";
import type { AgentName } from "../../lib/core/event/agent_name.ts";
import { conversationOf, onlySession, payloadsOf, readAll } from "../_support/agent_contract.ts";
import { tempFile } from "../_support/temp_file.ts";

/** What each agent tells its model, on resume, of a call whose result was never recorded. */
const SENTENCES: readonly [AgentName, string, string][] = [
  ["pi", "small.jsonl", "No result provided"],
  ["copilot", "tools.jsonl", "The execution of this tool, or a previous tool was interrupted."],
  ["opencode", "small.json", "[Tool execution was interrupted]"],
  [
    "qwen",
    "tools.jsonl",
    "Tool execution result was not recorded — likely interrupted by network failure, abort, or " +
    "process exit. Treat as failure and retry if needed.",
  ],
];

for (const [name, file, sentence] of SENTENCES) {
  Deno.test(`a session of ${name} says what its model gets for an unanswered call`, async () => {
    const path = fileURLToPath(new URL(`../../testdata/agents/${name}/${file}`, import.meta.url));
    const agent = await loadAgent(name);
    const { events } = await readAll(agent, await onlySession(agent, path));
    assert.equal(payloadsOf(events, "session_started")[0]?.unanswered_call, sentence);
  });
}

Deno.test("a call of Qwen Code that nothing answered gets Qwen Code's own sentence", async () => {
  const fixture = new URL("../../testdata/agents/qwen/tools.jsonl", import.meta.url);
  const lines = (await Deno.readTextFile(fixture)).split("\n");
  const cut = lines.findIndex((line) => line.includes('"tool_result"'));
  using file = tempFile("a.jsonl", lines.slice(0, cut).join("\n"));
  const agent = await loadAgent("qwen");
  const { messages } = await conversationOf(agent, await onlySession(agent, file.path));
  const results = messages.filter(({ role }) => role === "tool");
  assert.ok(results.length > 0);
  assert.ok(JSON.stringify(results).includes(SENTENCES[3]?.[2] ?? ""));
});
