/** Builds the events of a Keen Code turn that only the model gets. */
import { toParts } from "../../projection/said_parts.ts";
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { emitResponse, startResponse } from "../../reading/events/response_draft.ts";
import type { AssistantTurn } from "./keen_event.ts";
import { providerView } from "./provider_view.ts";

/** Where the events of a turn go, and the record that they come from. */
export interface TurnTarget {
  readonly writer: EventWriter;
  readonly origin: EventOrigin;
  /** The number of the record, of which ids of calls are made. */
  readonly number: number;
}

/** Adds the messages that Keen sends of a turn, for the model alone. */
export function emitSent({ message, turn_memory }: AssistantTurn, target: TurnTarget): void {
  const { writer, origin, number } = target;
  const said = { Role: "assistant", Content: message ?? "", TurnMemory: turn_memory ?? null };
  writer.audience = "model";
  for (const { content } of providerView([said], number - 1)) {
    const parts = toParts(content);
    const response = parts.filter(({ type }) => type !== "tool_result");
    if (response.length > 0) emitResponse(writer, startResponse(response), {}, origin);
    for (const part of parts) {
      if (part.type !== "tool_result") continue;
      const { call_id, name, status, output } = part;
      writer.emit("tool_end", { call_id, name, status, output }, origin);
    }
  }
  writer.audience = undefined;
}
