/** Folds the events of a session into its conversation. */
import {
  type Conversation,
  linearConversation,
} from "../../core/projection/conversation/conversation.ts";
import { foldBatches } from "../../core/projection/projection.ts";
import type { AgentConversationOptions, SessionReader } from "../contract/agent.ts";

/**
 * Builds the conversation that the session's agent would next send to the model.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function foldConversation(
  reader: Pick<SessionReader, "read">,
  { report, thread, signal, ...shape }: AgentConversationOptions,
): Promise<Conversation> {
  const projection = linearConversation(shape);
  const { needs } = projection;
  return await foldBatches(
    projection,
    reader.read({ report, thread, signal, needs, in_force: true }),
  );
}
