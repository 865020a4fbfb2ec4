/**
 * Tells a pi session from other agents' files, by its header or, where that was lost, by its
 * entries. Factory Droid's messages have the same frame, behind a `session_start`. Its first
 * message follows none and has no `parentId`, where pi's has `null`.
 */
import { splitChunk, splitRest, startSplit } from "../../log/line_splitter.ts";
import { fieldIs, fieldNames, findFields, textField } from "../../log/json_bytes/find_fields.ts";

const FIELDS = fieldNames("type", "id", "timestamp", "parentId", "message");
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

/** Whether the first bytes of a file are those of a session. */
export function isPiSession(head: Uint8Array): boolean {
  const split = startSplit();
  const lines = splitChunk(split, head).slice(0, LINES);
  const rest = lines.length === 0 ? splitRest(split) : undefined;
  const marks = [...lines, ...(rest === undefined ? [] : [rest])].map(({ bytes }) => markOf(bytes));
  return marks.includes("header") || (marks.includes("entry") && !marks.includes("other"));
}

function markOf(bytes: Uint8Array): "header" | "entry" | "other" | undefined {
  const spans = findFields(bytes, FIELDS);
  const type = textField(bytes, spans, 0);
  const id = textField(bytes, spans, 1);
  if (type === "session_start") return "other";
  if (type === undefined || !TIME.test(textField(bytes, spans, 2) ?? "")) return undefined;
  if (type === "session") return id === undefined ? undefined : "header";
  if (!ENTRY_TYPES.has(type)) return undefined;
  if (id !== undefined && fieldIs(bytes, spans, 3, "")) return "entry";
  if (!fieldIs(bytes, spans, 4, '{"role":"')) return undefined;
  return id === undefined ? "entry" : "other";
}
