/**
 * Tells a Claude Code session from other agents' files, by the fields of its records.
 */
import { splitChunk, splitRest, startSplit } from "../../log/line_splitter.ts";
import { fieldNames, fieldStart, findFields, textField } from "../../log/json_bytes/find_fields.ts";

const FIELDS = fieldNames("type", "uuid", "sessionId", "message", "isSidechain", "leafUuid");
const [TYPE, UUID, SESSION, MESSAGE, SIDECHAIN, LEAF] = [0, 1, 2, 3, 4, 5];
const CONTENT = fieldNames("content", "parts");
const LINES = 40;

/** Whether the first bytes of a file are those of a session. */
export function isClaudeSession(head: Uint8Array): boolean {
  const split = startSplit();
  const lines = splitChunk(split, head).slice(0, LINES);
  const rest = splitRest(split);
  if (lines.length === 0 && rest !== undefined) lines.push(rest);
  const marks = lines.map(({ bytes }) => markOf(bytes));
  // Qwen Code's records are alike, but for what a message is made of.
  return marks.includes("claude") && !marks.includes("other");
}

function markOf(bytes: Uint8Array): "claude" | "other" | undefined {
  const spans = findFields(bytes, FIELDS);
  const type = textField(bytes, spans, TYPE);
  const has = (field: number): boolean => fieldStart(spans, field) >= 0;
  if (type === "summary") return has(LEAF) ? "claude" : undefined;
  if (type === undefined || !has(SESSION)) return undefined;
  if (type !== "user" && type !== "assistant") {
    return has(UUID) && has(SIDECHAIN) ? "claude" : undefined;
  }
  const message = fieldStart(spans, MESSAGE);
  if (message < 0) return undefined;
  const inside = findFields(bytes, CONTENT, message);
  if (fieldStart(inside, 1) >= 0) return "other";
  return has(UUID) || has(SIDECHAIN) || fieldStart(inside, 0) >= 0 ? "claude" : undefined;
}
