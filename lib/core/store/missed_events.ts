/** The events that other processes appended while a session was not locked, such as a new title. */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import type { EventKind } from "../event/payload.ts";
import { SessionError } from "../event/session_error.ts";

/** Kinds of events that do not change the conversation. */
const HARMLESS: ReadonlySet<string> = new Set<EventKind>([
  "session_renamed",
  "session_archived",
  "session_checkpoint",
  "session_closed",
]);

/**
 * Returns the events that other processes appended while a session was not locked.
 *
 * @param path Path of the log, for the error message.
 * @throws {SessionError} `changed` if another process continued the conversation.
 */
export async function missedEvents(
  batches: AsyncIterable<readonly LogEvent[]>,
  path: string,
): Promise<KnownEvent[]> {
  const missed: KnownEvent[] = [];
  for await (const events of batches) {
    for (const event of events) {
      if (event.form !== "known" || !HARMLESS.has(event.kind)) throw changed(path);
      missed.push(event);
    }
  }
  return missed;
}

export function changed(path: string): SessionError {
  const message =
    "Cannot append event: another process continued the session while it was at rest (after " +
    `session.rest()); open it again with store.resume(): ${path}`;
  return new SessionError("changed", message, { path });
}
