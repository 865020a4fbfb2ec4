/** Names a record of another agent's session, so that it can be named before it is numbered. Pure. */
import type { LogEvent } from "./envelope.ts";

/** The form of a name behind `@` in a reference. */
const RECORD_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

/**
 * Returns the name of the record that an event came of. It is the record's own id, or else the offset of
 * its line. Undefined for events that came of no record.
 */
export function recordName(event: LogEvent): string | undefined {
  if (event.form === "unparsed" || event.source === undefined) return undefined;
  const { source: { id }, position } = event;
  if (id !== undefined && RECORD_NAME.test(id)) return id;
  return position === undefined ? undefined : String(position.offset);
}
