/** The messages of a pi session without events in between: the same as those of the events. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { piAgent } from "../../../lib/agents/pi/pi_agent.ts";
import { isStraightLine } from "../../../lib/agents/pi/straight_line.ts";
import type { MessageChoice } from "../../../lib/agents/engine/events/message_writer.ts";
import type { Message } from "../../../lib/core/event/message.ts";
import { conversationOf, onlySession } from "../../_support/agent_contract.ts";
import { recordingsBelow, sampleUrl } from "../../_support/samples.ts";

const FIXTURES = fileURLToPath(new URL("../../../testdata/agents/pi/", import.meta.url));
const SAMPLES = fileURLToPath(sampleUrl("pi/"));

async function assertSameMessages(path: string): Promise<boolean> {
  const session = await onlySession(piAgent, path);
  const choices: MessageChoice[] = [{}, { reasoning: "include" }, { tools: "omit" }];
  for (const options of choices) {
    const messages: Message[] = [];
    for await (const batch of piAgent.open(session).messages(options)) messages.push(...batch);
    const folded = await conversationOf(piAgent, session, options);
    assert.deepEqual(messages, folded.messages, path);
  }
  return await isStraightLine(session, undefined);
}

Deno.test("messages come without events in between, and are the same", async () => {
  const straight: boolean[] = [];
  for (const path of [FIXTURES, SAMPLES].flatMap((folder) => recordingsBelow(folder))) {
    straight.push(await assertSameMessages(path));
  }
  assert.ok(straight.includes(true) && straight.includes(false));
});

Deno.test("a tree, a compaction and damage are no straight line", async () => {
  const straight = async (name: string): Promise<boolean> =>
    await isStraightLine(await onlySession(piAgent, FIXTURES + name), undefined);
  assert.ok(await straight("turn.jsonl"));
  for (const name of ["tree", "compaction_chained", "torn_tail", "v1", "glued", "context_edit"]) {
    assert.ok(!await straight(`${name}.jsonl`), name);
  }
});
