import type { Message } from "../../lib/core/event/message.ts";

/** Messages in short: who speaks, and the text or what the parts are. */
export function inShort(messages: readonly Message[]): unknown[] {
  return messages.map(({ role, content }) => [
    role,
    typeof content === "string" ? content : content.map((part) => part.type),
  ]);
}
