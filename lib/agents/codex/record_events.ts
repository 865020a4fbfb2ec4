/**
 * Applies a rollout's records in their order. A record becomes events, or changes only the state.
 */
import type { KnownEvent } from "../../core/event/envelope.ts";
import type { Message } from "../../core/event/message.ts";
import { buildMessages } from "../../core/projection/conversation/responses.ts";
import { EventWriter } from "../engine/events/event_writer.ts";
import { asName, asObject, present } from "../engine/json.ts";
import { contentTexts, isContextual } from "./item_content.ts";
import { keptPrompts } from "./kept_prompts.ts";
import { agentMessage, applyResponseItem } from "./response_item.ts";
import {
  addUsage,
  emit,
  emitExtension,
  endAnswer,
  endWaiting,
  originOf,
  type Rollout,
  startRollout,
} from "./rollout.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";
import { startSession, UNANSWERED } from "./session_head.ts";
import { readUsage } from "./token_counts.ts";
import type { Disposition } from "./tool_call.ts";
import { applyTurnEvent } from "./turn_event.ts";

export function applyRecord(rollout: Rollout, record: RolloutRecord): Disposition {
  return applyState(rollout, record) ?? applyEvent(rollout, record);
}

function applyState(rollout: Rollout, record: RolloutRecord): Disposition | undefined {
  const { type, payload } = record;
  switch (type) {
    case "session_meta":
      return applyMeta(rollout, record);
    case "turn_context":
      rollout.model = asName(payload.model) ?? rollout.model;
      rollout.turn_id = asName(payload.turn_id) ?? rollout.turn_id;
      rollout.cwd ??= asName(payload.cwd);
      return "side";
    case "token_usage_record": {
      const usage = readUsage(rollout.usage, type, payload);
      if (usage !== undefined) addUsage(rollout, usage, record);
      return "side";
    }
    case "world_state":
    case "inter_agent_communication_metadata":
    case "state":
      return "side";
    default:
      return undefined;
  }
}

function applyMeta(rollout: Rollout, record: RolloutRecord): Disposition {
  rollout.provider ??= asName(record.payload.model_provider);
  if (isOwnHead(rollout, record)) return "event";
  if (rollout.meta !== undefined || rollout.started || rollout.inherited) return "side";
  rollout.meta = record;
  return "event";
}

/** True for a thread's own head. A fork's head is read first, and again after inherited records. */
function isOwnHead({ meta, inherited }: Rollout, { source }: RolloutRecord): boolean {
  return !inherited && meta !== undefined &&
    meta.source.position.offset === source.position.offset;
}

function applyEvent(rollout: Rollout, record: RolloutRecord): Disposition {
  const { type, payload } = record;
  if (type.startsWith("response_item/")) rollout.cwd ??= oldCwd(payload);
  startSession(rollout, record);
  if (type.startsWith("response_item/")) {
    const disposition = inItsTurn(rollout, record);
    if (disposition !== undefined) return disposition;
  }
  if (type.startsWith("event_msg/")) return applyTurnEvent(rollout, record);
  if (type === "compacted") return applyCompacted(rollout, record);
  if (type === "inter_agent_communication") return agentMessage(rollout, record);
  emitExtension(rollout, record);
  return "event";
}

/** Applies an item to the turn that it names, because Codex 0.169 writes some items late. */
function inItsTurn(rollout: Rollout, record: RolloutRecord): Disposition | undefined {
  const { turn_id } = rollout;
  const { internal_chat_message_metadata_passthrough: own } = record.payload;
  rollout.turn_id = asName(asObject(own).turn_id) ?? turn_id;
  const disposition = applyResponseItem(rollout, record);
  rollout.turn_id = turn_id;
  return disposition;
}

/** Extracts a thread's directory from its first message. Old `session_meta` records have none. */
function oldCwd(payload: Readonly<Record<string, unknown>>): string | undefined {
  if (payload.role !== "user" || !isContextual(payload.content)) return undefined;
  const text = contentTexts(payload.content);
  const found = /<cwd>([^<\n]+)<\/cwd>|Current working directory: ([^\n]+)/.exec(text);
  return asName((found?.[1] ?? found?.[2])?.trim());
}

// Compactions (codex-rs/core/src/session/rollout_reconstruction.rs): `replacement_history` replaces
// all that the model gets. Older compactions have only a summary, `message`. The user's prompts are
// kept up to 20,000 tokens, newest first. Then comes the summary (core/src/compact.rs,
// `build_compacted_history`).

function applyCompacted(rollout: Rollout, record: RolloutRecord): Disposition {
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
