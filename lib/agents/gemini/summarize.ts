/** Summarizes a chat for a list, with the time of the last update that its first line states. */
import type { AgentReads } from "../../reading/session_reader.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { readChatHead } from "./chat_record.ts";

/**
 * Adds the stated time to what is known of the messages. Gemini CLI deletes by it (0.61). In a chat
 * that was handed over it is later than all messages.
 */
export function summarizeStated(summarize: AgentReads["summarize"]): AgentReads["summarize"] {
  return async (session, options) => {
    const row = await summarize(session, options);
    const stated = row && isoTime(readChatHead(session.path).lastUpdated);
    return stated && stated > (row.updated_at ?? "") ? { ...row, updated_at: stated } : row;
  };
}
