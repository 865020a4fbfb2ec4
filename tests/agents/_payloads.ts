/** What the events of one kind say. */
import type { LogEvent } from "../../lib/event/envelope.ts";
import type { Message } from "../../lib/event/message.ts";
import type { EventKind, PayloadByKind } from "../../lib/event/payload.ts";

/** The payloads of the known events of a kind. */
export function payloads<Kind extends EventKind>(
  events: readonly LogEvent[],
  kind: Kind,
): PayloadByKind[Kind][] {
  return events.flatMap((event) =>
    event.form === "known" && event.kind === kind ? [event.payload as PayloadByKind[Kind]] : []
  );
}

/** Messages in short: who speaks, and the text or what the parts are. */
export function inShort(messages: readonly Message[]): unknown[] {
  return messages.map(({ role, content }) => [
    role,
    typeof content === "string" ? content : content.map((part) => part.type),
  ]);
}
