/** Names records of another agent's session, so that references need no sequence number. */
import type { LogEvent } from "./envelope.ts";

/** The form of a name behind `@` in a reference. */
const RECORD_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

/**
 * Returns the name of the record that contains an event. The name is the record's own id, or else
 * its line's offset. Returns undefined for events without a record.
 */
export function recordName(event: LogEvent): string | undefined {
  if (event.form === "unparsed" || event.source === undefined) return undefined;
  const { source: { id }, position } = event;
  if (id !== undefined && RECORD_NAME.test(id)) return id;
  return position === undefined ? undefined : String(position.offset);
}
