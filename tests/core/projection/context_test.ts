import assert from "node:assert/strict";
import type { LogEvent, NewEvent } from "../../../lib/core/event/envelope.ts";
import { decodeEvent } from "../../../lib/core/event/decode.ts";
import { present } from "../../../lib/core/event/present.ts";
import { contextOf } from "../../../lib/core/projection/context.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { user } from "../../_support/log_bytes.ts";

function read(events: readonly NewEvent[]): LogEvent[] {
  return events.flatMap((event, at) => decodeEvent({ seq: at + 1, ...event }) ?? []);
}

function compaction(summary: string, first_kept_seq?: number): NewEvent {
  return { kind: "compaction_applied", payload: present({ status: "", summary, first_kept_seq }) };
}

/** Prompts of one word each, with compactions that keep from some prompt on. */
function randomTalk(seed: number): NewEvent[] {
  const random = mulberry32(seed);
  return Array.from({ length: 60 }, (_, at): NewEvent => {
    const drawn = random();
    if (drawn > 0.12) return user(`word${at}`);
    const kept = drawn > 0.06 ? 1 + Math.floor(random() * at) : undefined;
    return compaction(`summary${at}`, kept);
  });
}

Deno.test("the context in force has as many messages as the conversation, whatever was dropped", () => {
  for (let seed = 0; seed < 200; seed++) {
    const events = read(randomTalk(seed));
    const sent = foldEvents(conversation(), events).messages;
    const context = foldEvents(contextOf(), events);
    assert.equal(context.messages, sent.length, `seed ${seed}`);
    for (const { from_seq, to_seq, seq } of context.dropped) {
      assert.ok(from_seq <= to_seq && to_seq <= seq, `seed ${seed}`);
    }
  }
});
