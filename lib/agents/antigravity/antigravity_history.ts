/**
 * Parses a line of Antigravity's prompt history: `{display, timestamp, workspace, conversationId}`
 * (agy 1.1). Returns undefined for a session's first prompt, because that line has no session id.
 */
import { asName, asText, type Json } from "../engine/json.ts";
import { type HistoryPrompt, historySearch } from "../engine/prompt_history.ts";

export function antigravityPrompt(record: Json): HistoryPrompt | undefined {
  const session_id = asName(record.conversationId);
  if (session_id === undefined) return undefined;
  const { display, timestamp: time, workspace } = record;
  return { session_id, text: asText(display) ?? "", time, cwd: asName(workspace) };
}

export const locateInHistory = historySearch("antigravity", antigravityPrompt);
