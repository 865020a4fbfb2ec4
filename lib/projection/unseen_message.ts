/**
 * What an agent says to the model in the user's name: a part of the conversation, and not of what a
 * person saw.
 */
import type { UserMessagePayload } from "../event/payload.ts";

/** Whether nobody saw a message of the user. */
export function isUnseen({ content, told }: UserMessagePayload): boolean {
  return told !== undefined && content.length === 0;
}
