/**
 * Normalizes a rollout's record of any version. Codex, codex-rs/protocol RolloutLine: `{timestamp,
 * ordinal?, type, payload, metadata?}`. Before 2025-09 a line was the bare item: first `{id,
 * timestamp, instructions, git}`, then response items, and lines `{"record_type":"state"}`.
 */
import { asObject, asText } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { recordType } from "./rollout_line.ts";

/** A record of a rollout. */
export interface RolloutRecord {
  /** As {@linkcode recordType} names it; empty where the record has no type. */
  type: string;
  payload: Readonly<Record<string, unknown>>;
  metadata: Readonly<Record<string, unknown>>;
  time: string | undefined;
  source: SourceRecord;
}

/** Response items that stood bare on their lines. */
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

/** Reads a record. */
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
