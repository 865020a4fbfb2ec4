/**
 * Reads Antigravity's history of prompts: `{display, timestamp, workspace, conversationId}` a line
 * (agy 1.1). The first prompt of a session does not name it.
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
