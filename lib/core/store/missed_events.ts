/** The events that others appended while a session was at rest, such as a new title. */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import type { EventKind } from "../event/payload.ts";
import { SessionError } from "../event/session_error.ts";

/** Kinds that change nothing that the model gets. */
const HARMLESS: ReadonlySet<string> = new Set<EventKind>([
  "session_renamed",
  "session_archived",
  "session_checkpoint",
  "session_closed",
]);

/**
 * Returns the events behind the end at which a session went to rest.
 *
 * @param path For the error.
 * @throws {SessionError} `changed` if the conversation went on.
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

/** Returns the error for a session that another process continued. */
export function changed(path: string): SessionError {
  const message =
    "Cannot append event: another process continued the session while it was at rest (after " +
    `session.rest()). Open it again with store.resume(): ${path}`;
  return new SessionError("changed", message, { path });
}
