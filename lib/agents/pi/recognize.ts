/**
 * Tells a pi session from other agents' files, by its header or, where that was lost, by its
 * entries. Factory Droid's messages have the same frame, behind a `session_start`. Its first
 * message follows none and has no `parentId`, where pi's has `null`.
 */
import { asName, asObject } from "../../reading/json_value.ts";
import { headRecords } from "../../reading/records/head_records.ts";

const LINES = 20;

const ENTRY_TYPES = new Set([
  "message",
  "model_change",
  "thinking_level_change",
  "compaction",
  "branch_summary",
  "custom",
  "custom_message",
  "label",
  "session_info",
  "context_edit",
  "usage",
]);

/** fen's header and messages look alike, but for their times. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** True if the first bytes of a file are those of a session. */
export function isPiSession(head: Uint8Array): boolean {
  const marks = headRecords(head, LINES).map(({ value }) => markOf(value));
  return marks.includes("header") || (marks.includes("entry") && !marks.includes("other"));
}

function markOf(
  value: Readonly<Record<string, unknown>>,
): "header" | "entry" | "other" | undefined {
  const type = asName(value.type);
  const id = asName(value.id);
  if (type === "session_start") return "other";
  if (type === undefined || !TIME.test(asName(value.timestamp) ?? "")) return undefined;
  if (type === "session") return id === undefined ? undefined : "header";
  if (!ENTRY_TYPES.has(type)) return undefined;
  if (id !== undefined && value.parentId !== undefined) return "entry";
  if (asName(asObject(value.message).role) === undefined) return undefined;
  return id === undefined ? "entry" : "other";
}
