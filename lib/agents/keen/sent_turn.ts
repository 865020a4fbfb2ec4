/** Builds the events of a Keen Code turn that only the model gets. */
import type { Message } from "../../event/message.ts";
import type { EventOrigin, EventWriter } from "../event_writer.ts";

/** Adds the messages of a turn for the model alone. */
export function emitSent(
  writer: EventWriter,
  messages: readonly Message[],
  origin: EventOrigin,
): void {
  writer.audience = "model";
  for (const { content } of messages) {
    const message_id = `sent_${writer.seq + 1}`;
    const parts = typeof content === "string"
      ? [{ type: "text" as const, text: content }]
      : content;
    for (const part of parts) {
      if (part.type === "text") {
        writer.emit("assistant_message", { content: part.text, message_id }, origin);
      } else if (part.type === "tool_call") {
        const { call_id, name, input } = part;
        writer.emit("tool_start", { call_id, name, input, message_id }, origin);
      } else if (part.type === "tool_result") {
        const { call_id, name, status, output } = part;
        writer.emit("tool_end", { call_id, name, status, output }, origin);
      }
    }
  }
  writer.audience = undefined;
}
