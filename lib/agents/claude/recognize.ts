/**
 * Tells a Claude Code session from other agents' files, by the fields of its records.
 */
import { asObject } from "../../reading/json_value.ts";
import { headRecords } from "../../reading/records/head_records.ts";

/** Records of a queue or of settings can stand before the first prompt. */
const LINES = 400;

/** True if the first bytes of a file are those of a session. */
export function isClaudeSession(head: Uint8Array): boolean {
  const marks = headRecords(head, LINES).map(({ value }) => markOf(value));
  // Qwen Code's records are alike, but for what a message is made of.
  return marks.includes("claude") && !marks.includes("other");
}

function markOf(value: Readonly<Record<string, unknown>>): "claude" | "other" | undefined {
  const { type, uuid, sessionId, message, isSidechain, leafUuid } = value;
  if (type === "summary") return leafUuid === undefined ? undefined : "claude";
  // The ids of a record stand behind its message, where a long one is cut.
  if (typeof type !== "string" || (sessionId ?? isSidechain) === undefined) return undefined;
  if (type !== "user" && type !== "assistant") {
    return uuid === undefined || isSidechain === undefined ? undefined : "claude";
  }
  if (message === undefined) return undefined;
  const { content, parts } = asObject(message);
  if (parts !== undefined) return "other";
  return (uuid ?? isSidechain ?? content) === undefined ? undefined : "claude";
}
