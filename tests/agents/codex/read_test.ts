/** How tokens of a thread of Codex are counted; `testdata/cases/codex` tells what becomes of records. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { usage } from "../../_support/usage.ts";
import { type AgentRead, onlySession, payloadsOf, readAll } from "../../_support/agent_contract.ts";
import { fixture } from "./_codex_home.ts";
import { tempFile } from "../../_support/temp_file.ts";

async function readFixture(name: string): Promise<AgentRead> {
  const session = await onlySession(codexAgent, fileURLToPath(fixture(name)));
  return await readAll(codexAgent, session);
}

Deno.test("tokens of an answer are counted once, wherever they stand", async () => {
  for (const [name, input, output] of [["legacy", 540, 120], ["paginated", 40, 12]] as const) {
    const { events } = await readFixture(`${name}.jsonl`);
    const [row, ...more] = foldEvents(usage(), events);
    assert.deepEqual([row?.usage.input, row?.usage.output], [input, output], name);
    assert.equal(row?.model, "gpt-5-codex");
    assert.equal(row?.messages, 2);
    assert.equal(more.length, 0);
  }
});

Deno.test("tokens said behind the outputs of an answer stand alone", async () => {
  const line = (type: string, payload: unknown): string =>
    JSON.stringify({ timestamp: "2026-03-01T09:00:00.000Z", type, payload });
  const count = (input: number, total: number): string =>
    line("event_msg", {
      type: "token_count",
      info: {
        total_token_usage: { input_tokens: total, output_tokens: 1 },
        last_token_usage: { input_tokens: input, output_tokens: 1 },
      },
    });
  const call = { type: "function_call", name: "update_plan", arguments: "{}", call_id: "c1" };
  using file = tempFile(
    "a.jsonl",
    [
      line("session_meta", { id: "t1", timestamp: "2026-03-01T09:00:00.000Z", cwd: "/w" }),
      line("turn_context", { model: "m1" }),
      line("response_item", call),
      line("response_item", { type: "function_call_output", call_id: "c1", output: "done" }),
      count(10, 10),
      count(10, 10),
      line("response_item", {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Planned." }],
      }),
      count(20, 30),
    ].join("\n") + "\n",
  );
  const { events } = await readAll(codexAgent, await onlySession(codexAgent, file.path));
  const answers = payloadsOf(events, "assistant_message");
  assert.deepEqual(answers.map(({ content, usage }) => [content, usage?.input]), [
    [[{ type: "tool_call", call_id: "c1", name: "update_plan", input: {} }], undefined],
    ["", 10],
    ["Planned.", 20],
  ]);
});

Deno.test("a document is recognized in a file of a rollout's name", async () => {
  const name = "rollout-2025-05-01-0197aaaa-0000-4000-8000-000000000015.json";
  assert.ok(codexAgent.recognize(name, await Deno.readFile(fixture("document.json"))));
});
