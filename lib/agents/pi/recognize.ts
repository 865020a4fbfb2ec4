/**
 * Tells a pi session from other agents' files, by its header or, where that was lost, by its entries.
 */
import { splitChunk, splitRest, startSplit } from "../../log/line_splitter.ts";
import { fieldIs, fieldNames, findFields, textField } from "../field_scan.ts";

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
  return [...lines, ...(rest === undefined ? [] : [rest])].some(({ bytes }) => isPiLine(bytes));
}

function isPiLine(bytes: Uint8Array): boolean {
  const spans = findFields(bytes, FIELDS);
  const type = textField(bytes, spans, 0);
  const id = textField(bytes, spans, 1);
  if (type === undefined || !TIME.test(textField(bytes, spans, 2) ?? "")) return false;
  if (type === "session") return id !== undefined;
  if (!ENTRY_TYPES.has(type)) return false;
  const linked = id !== undefined && fieldIs(bytes, spans, 3, "");
  return linked || (id === undefined && fieldIs(bytes, spans, 4, '{"role":"'));
}
