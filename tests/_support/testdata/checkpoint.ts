/**
 * The checkpoint that sums up a list of events, counted here anew so that tests do not compare the
 * library with itself.
 */
import type { NewEvent } from "../../../lib/event/envelope.ts";
import { contentText } from "../../../lib/event/message.ts";
import type { SessionCheckpointPayload, TokenUsage } from "../../../lib/event/payload.ts";
import { draft } from "./event_line.ts";

const TOKEN_FIELDS = ["input", "output", "cache_read", "cache_write", "reasoning"] as const;

/** What a checkpoint right after `events`, which are numbered from 1, says. */
export function checkpointPayload(events: readonly NewEvent[]): SessionCheckpointPayload {
  const sum: SessionCheckpointPayload = {
    through_seq: events.length,
    archived: false,
    message_count: 0,
    turn_count: 0,
    usage: {},
    models: [],
    first_user_message: "",
  };
  const prompts = events.filter(({ kind }) => kind === "user_message");
  sum.turn_count = new Set(prompts.map(({ turn_id }) => turn_id)).size;
  for (const event of events) count(sum, event);
  return sum;
}

function count(sum: SessionCheckpointPayload, { kind, payload }: NewEvent): void {
  if (kind === "session_renamed") sum.title = payload.title;
  if (kind === "session_archived") sum.archived = payload.archived;
  if (kind === "user_message" || kind === "assistant_message" || kind === "assistant_interrupted") {
    const text = contentText(payload.content);
    if (kind === "user_message" || text !== "") sum.message_count++;
    if (kind === "user_message" && sum.first_user_message === "") sum.first_user_message = text;
  }
  if (kind !== "assistant_message") return;
  addUsage(sum.usage, payload.usage ?? {});
  if (payload.cost_usd !== undefined) sum.cost_usd = (sum.cost_usd ?? 0) + payload.cost_usd;
  const { model } = payload;
  if (model !== undefined && !sum.models.includes(model)) sum.models.push(model);
}

function addUsage(sum: TokenUsage, usage: TokenUsage): void {
  for (const field of TOKEN_FIELDS) {
    const tokens = usage[field];
    if (tokens !== undefined) sum[field] = (sum[field] ?? 0) + tokens;
  }
}

/** The events, then their checkpoint. */
export function withCheckpoint(events: readonly NewEvent[]): NewEvent[] {
  return [...events, draft("session_checkpoint", checkpointPayload(events))];
}
