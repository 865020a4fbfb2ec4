/** A thread of some megabytes: what is wanted is found without the rest, and is the same. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import type { MessageChoice } from "../../../lib/agents/engine/events/message_writer.ts";
import type { Message } from "../../../lib/core/event/message.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { summary } from "../../../lib/core/projection/summary.ts";
import { transcript } from "../../../lib/core/projection/transcript/transcript.ts";
import { conversationOf, onlySession, readAll } from "../../_support/agent_contract.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { inShort } from "../_in_short.ts";
import { fixture } from "./_codex_home.ts";
import { tempFile } from "../../_support/temp_file.ts";

function message(role: string, text: string): unknown {
  const type = role === "assistant" ? "output_text" : "input_text";
  return { type: "message", role, content: [{ type, text }] };
}

/** Lines of a thread of 300 turns, compacted after each hundred. */
function threadLines(rollback: boolean): string[] {
  const lines: string[] = [];
  const add = (type: string, payload: unknown): void => {
    const timestamp = new Date(1.78e12 + lines.length * 1000).toISOString();
    lines.push(JSON.stringify({ timestamp, ordinal: lines.length, type, payload }));
  };
  add("session_meta", {
    id: "large",
    timestamp: "2026-07-01T00:00:00.000Z",
    cwd: "/w",
    base_instructions: { text: "x".repeat(90_000) },
  });
  for (let turn = 1; turn <= 300; turn++) {
    add("event_msg", { type: "task_started", turn_id: `t${turn}` });
    add("world_state", { full: true, state: { text: "y".repeat(2000) } });
    add("response_item", message("user", `Prompt ${turn}`));
    const call_id = `c${turn}`;
    const args = JSON.stringify({ cmd: `echo ${turn}` });
    add("response_item", { type: "function_call", name: "exec_command", arguments: args, call_id });
    const output = `Exit code: 0\nWall time: 0.1 seconds\nOutput:\n${"z".repeat(4000)} ${turn}\n`;
    add("response_item", { type: "function_call_output", call_id, output });
    add("response_item", message("assistant", `Answer ${turn}`));
    if (turn % 100 === 0 && turn < 300) {
      const replacement_history = [message("user", `Summary of ${turn}`)];
      add("compacted", { message: `Summary of ${turn}`, replacement_history });
    }
    if (rollback && turn === 290) add("event_msg", { type: "thread_rolled_back", num_turns: 2 });
    add("event_msg", { type: "task_complete", turn_id: `t${turn}`, last_agent_message: null });
  }
  return lines;
}

for (const rollback of [false, true]) {
  const title = rollback ? "with a rollback" : "without rollbacks";
  Deno.test(`a large thread ${title} gives the same whoever asks`, async () => {
    using file = tempFile("rollout-1.jsonl", threadLines(rollback).join("\n") + "\n");
    const session = await onlySession(codexAgent, file.path);
    const { events, account } = await readAll(codexAgent, session);
    assert.equal(account.total, Deno.statSync(file.path).size);
    const whole = foldEvents(conversation(), events).messages;
    assert.deepEqual((await conversationOf(codexAgent, session, {})).messages, whole);
    assert.deepEqual(inShort(whole).slice(0, 3), [
      ["user", "Summary of 200"],
      ["user", "Prompt 201"],
      ["assistant", ["tool_call"]],
    ]);
    assert.equal(whole.length, 1 + 4 * (rollback ? 98 : 100));
    const last = await codexAgent.open(session).readTail({ messages: 20 });
    const shown = foldEvents(transcript(), last ?? []);
    const said = shown.flatMap((item) => item.type === "message" ? [item.content] : []);
    assert.ok(said.length >= 20 && said.length < 40);
    assert.deepEqual(said.slice(-4), ["Prompt 299", "Answer 299", "Prompt 300", "Answer 300"]);
    const row = await codexAgent.open(session).summarize();
    const folded = foldEvents(summary(), events);
    for (const field of ["title", "last_user_message", "cwd", "updated_at"] as const) {
      assert.equal(row?.[field], folded[field], field);
    }
    assert.equal(row?.message_count, undefined, "the middle was not read");
  });
}

Deno.test("messages come without events in between, and are the same", async () => {
  for (const rollback of [false, true]) {
    using file = tempFile("rollout-1.jsonl", threadLines(rollback).join("\n") + "\n");
    await assertSameMessages(await onlySession(codexAgent, file.path));
  }
  for (const name of ["legacy", "compacted_old", "rolled_back", "images", "interrupted", "tools"]) {
    await assertSameMessages(
      await onlySession(codexAgent, fileURLToPath(fixture(`${name}.jsonl`))),
    );
  }
});

async function assertSameMessages(session: AgentSession): Promise<void> {
  for (
    const options of [{}, { reasoning: "include" }, { tools: "omit" }] satisfies MessageChoice[]
  ) {
    const messages: Message[] = [];
    for await (const batch of codexAgent.open(session).messages(options)) {
      messages.push(...batch);
    }
    const folded = await conversationOf(codexAgent, session, options);
    assert.deepEqual(messages, folded.messages);
  }
}
