/**
 * Reads Claude Code's history of prompts:
 * `{display, pastedContents, timestamp, project, sessionId}` on each line (2.1). The history
 * outlives the sessions, because Claude Code deletes sessions after 30 days. Lines of 1.0 name no
 * session.
 */
import { asName, asObject, asText, type Json } from "../engine/json.ts";
import { type HistoryPrompt, historySearch } from "../engine/prompt_history.ts";

export function claudePrompt(record: Json): HistoryPrompt | undefined {
  const session_id = asName(record.sessionId);
  if (session_id === undefined) return undefined;
  const pasted = Object.values(asObject(record.pastedContents)).map((one) =>
    asText(asObject(one).content) ?? ""
  );
  const text = [asText(record.display) ?? "", ...pasted].filter((part) => part !== "").join("\n\n");
  return { session_id, text, time: record.timestamp, cwd: asName(record.project) };
}

export const locateInHistory = historySearch("claude", claudePrompt);
