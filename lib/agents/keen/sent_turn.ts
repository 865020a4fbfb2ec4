/** Builds the events of a Keen Code turn that only the model gets. */
import type { Message } from "../../event/message.ts";
import { toParts } from "../../projection/said_parts.ts";
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { emitResponse, startResponse } from "../../reading/events/response_draft.ts";

/** Adds the messages of a turn for the model alone. */
export function emitSent(
  writer: EventWriter,
  messages: readonly Message[],
  origin: EventOrigin,
): void {
  writer.audience = "model";
  for (const { content } of messages) {
    const parts = toParts(content);
    const said = parts.filter(({ type }) => type !== "tool_result");
    if (said.length > 0) emitResponse(writer, startResponse(said), {}, origin);
    for (const part of parts) {
      if (part.type !== "tool_result") continue;
      const { call_id, name, status, output } = part;
      writer.emit("tool_end", { call_id, name, status, output }, origin);
    }
  }
  writer.audience = undefined;
}
