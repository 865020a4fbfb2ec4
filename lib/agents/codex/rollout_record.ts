/**
 * Normalizes a rollout's record of any version. A record is
 * `{timestamp, ordinal?, type, payload, metadata?}` (codex-rs/protocol, RolloutLine). Before
 * 2025-09, a line was the bare item. The first line was `{id, timestamp, instructions, git}`.
 * Response items and lines `{"record_type":"state"}` followed.
 */
import { asObject, asText } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { isContextual } from "./item_content.ts";
import { joinedType } from "./recognized_line.ts";

export interface RolloutRecord {
  /** The type that {@linkcode recordType} returns. Empty if the record has no type. */
  type: string;
  payload: Readonly<Record<string, unknown>>;
  metadata: Readonly<Record<string, unknown>>;
  time: string | undefined;
  source: SourceRecord;
}

export const ROLLED_BACK = "event_msg/thread_rolled_back";

/** Types of response items that old versions wrote without an envelope. */
const BARE_ITEMS: ReadonlySet<unknown> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "local_shell_call",
  "local_shell_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "web_search_call",
]);

export function toRolloutRecord(source: SourceRecord): RolloutRecord {
  const { value } = source;
  const { type, payload, timestamp } = value;
  const time = asText(timestamp);
  const metadata = asObject(value.metadata);
  if (typeof type === "string" && typeof payload === "object" && payload !== null) {
    const body = asObject(payload);
    return { type: recordType(type, body), payload: body, metadata, time, source };
  }
  return { type: bareType(value), payload: value, metadata, time, source };
}

function bareType(value: Readonly<Record<string, unknown>>): string {
  const { type, record_type, id, timestamp } = value;
  if (BARE_ITEMS.has(type)) return recordType("response_item", value);
  if (typeof type === "string") return type;
  if (typeof record_type === "string") return record_type;
  return typeof id === "string" && typeof timestamp === "string" ? "session_meta" : "";
}

/** True for a person's prompt, and for a message from another agent. */
export function isPrompt({ type, payload }: RolloutRecord): boolean {
  if (type === "inter_agent_communication" || type === "response_item/agent_message") return true;
  return type === "response_item/message/user" && !isContextual(payload.content);
}

export function isTurnStart({ type }: RolloutRecord): boolean {
  return type === "event_msg/task_started" || type === "event_msg/turn_started";
}

const TURN_MARKS =
  /^event_msg\/(?:task_started|turn_started|task_complete|turn_complete|turn_aborted)$/;

export function isTurnMark(type: string): boolean {
  return TURN_MARKS.test(type);
}

/** True if a compaction has the whole conversation. Older compactions need the earlier prompts. */
export function isWholeCompaction({ type, payload }: RolloutRecord): boolean {
  return type === "compacted" && Array.isArray(payload.replacement_history);
}

/** Returns the type of a parsed record, in the form of {@linkcode lineType}. */
function recordType(type: string, payload: Readonly<Record<string, unknown>>): string {
  const inner = payload.type;
  if (typeof inner !== "string") return type;
  const outer = joinedType(type, inner);
  if (inner !== "message" && inner !== "item_completed") return outer;
  const item = payload.item as { type?: unknown } | null | undefined;
  const last = inner === "message" ? payload.role : item?.type;
  return typeof last === "string" && last !== "" ? joinedType(outer, last) : outer;
}
