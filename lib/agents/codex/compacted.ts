/**
 * Compactions (codex-rs/core/src/session/rollout_reconstruction.rs): `replacement_history` replaces
 * all that the model gets. Older ones carry only a summary, `message`. What the user said is kept
 * up to 20,000 tokens, newest first. Then comes the summary (core/src/compact.rs,
 * `build_compacted_history`).
 */
import type { KnownEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import { buildMessages } from "../../projection/conversation/responses.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { asName, asObject, present } from "../../reading/json_value.ts";
import { isContextual } from "./user_content.ts";
import { contentTexts } from "./item_content.ts";
import { applyResponseItem } from "./response_item.ts";
import { keptPrompts } from "./kept_prompts.ts";
import { emit, endAnswer, endWaiting, originOf, type Rollout, startRollout } from "./rollout.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";
import { UNANSWERED } from "./session_head.ts";
import type { Disposition } from "./tool_call.ts";

/** Takes a compaction. */
export function applyCompacted(rollout: Rollout, record: RolloutRecord): Disposition {
  endWaiting(rollout);
  endAnswer(rollout);
  const summary = asName(record.payload.message);
  const messages = messagesInForce(rollout, record, summary);
  const payload = present({ status: "Context compacted", summary, messages });
  emit(rollout, "compaction_applied", payload, originOf(rollout, record));
  return "event";
}

function messagesInForce(
  rollout: Rollout,
  record: RolloutRecord,
  summary: string | undefined,
): Message[] {
  const { replacement_history: items } = record.payload;
  if (!Array.isArray(items)) {
    rollout.prompts = keptPrompts(rollout.prompts);
    return compactedMessages(rollout.prompts, summary);
  }
  rollout.prompts = items.flatMap(promptOf);
  return rollout.writer.wants("compaction_applied") ? itemMessages(rollout, items, record) : [];
}

function compactedMessages(prompts: readonly string[], summary: string | undefined): Message[] {
  const texts = [...prompts, summary ?? "(no summary available)"];
  return texts.map((content) => ({ role: "user", content }));
}

function promptOf(item: unknown): string[] {
  const { type, role, content } = asObject(item);
  if (type !== "message" || role !== "user" || isContextual(content)) return [];
  return [contentTexts(content)];
}

/** The messages of items, all of them: also those that nobody was shown. */
function itemMessages(
  { session }: Rollout,
  items: readonly unknown[],
  { time, source }: RolloutRecord,
): Message[] {
  const writer = new EventWriter(session);
  const part = startRollout({ session, writer, count: () => {} });
  for (const payload of items.map(asObject)) {
    const value = { type: "response_item", payload, timestamp: time };
    applyResponseItem(part, toRolloutRecord({ ...source, value }));
  }
  endWaiting(part);
  endAnswer(part);
  return buildMessages(writer.take() as KnownEvent[], UNANSWERED).messages;
}
