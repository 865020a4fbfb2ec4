/**
 * Parses a line of Codex's prompt history, `{session_id, ts, text}`, with `ts` in seconds
 * (codex-rs/message-history/src/lib.rs). The prompts of deleted rollouts stay in the history.
 */
import { asName, asNumber, asText, type Json } from "../engine/json.ts";
import { type HistoryPrompt, historySearch } from "../engine/prompt_history.ts";

export function codexPrompt(record: Json): HistoryPrompt | undefined {
  const session_id = asName(record.session_id);
  const seconds = asNumber(record.ts);
  if (session_id === undefined) return undefined;
  const time = seconds === undefined ? undefined : seconds * 1000;
  return { session_id, text: asText(record.text) ?? "", time };
}

export const locateInHistory = historySearch("codex", codexPrompt);
