/**
 * The messages that some of a session's records make, by the rules of every conversation.
 */
import type { Message } from "../../event/message.ts";
import { conversation } from "../../projection/conversation/conversation.ts";
import { UNSETTLED_OUTPUT } from "../../projection/conversation/paired_messages.ts";
import { foldEvents } from "../../projection/projection.ts";
import type { AgentSession } from "../../source/agent.ts";
import { EventWriter } from "./event_writer.ts";

/** Folds what `write` writes to a conversation with its reasoning: for a compaction to carry. */
export function foldedMessages(
  session: Pick<AgentSession, "agent" | "id">,
  write: (writer: EventWriter) => void,
): Message[] {
  const writer = new EventWriter(session);
  write(writer);
  const projection = conversation({ reasoning: "include", unanswered_call: UNSETTLED_OUTPUT });
  return foldEvents(projection, writer.take()).messages;
}
