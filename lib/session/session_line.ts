/**
 * What a session writes: lines that fit, and events that wait to be lines.
 */
import { encodeEvent } from "../event/encode.ts";
import type { Event, NewEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { MAX_LINE_BYTES } from "../log/line_splitter.ts";

/**
 * A copy of an event to be written later, whatever its owner changes meanwhile. What does not fit
 * fails here, not then, when nobody could be told.
 *
 * @throws {TypeError} When the event does not fit its kind.
 * @throws {SessionError} `too-large`
 */
export function asHeld(event: NewEvent): NewEvent {
  encodeLine({ ...event, seq: 1 } as Event);
  return JSON.parse(JSON.stringify(event));
}

/**
 * The line of an event.
 *
 * @throws {TypeError} When the event does not fit its kind.
 * @throws {SessionError} `too-large`
 */
export function encodeLine(event: Event): Uint8Array {
  const line = encodeEvent(event);
  if (line.length <= MAX_LINE_BYTES) return line;
  const bytes = line.length;
  const message = `Cannot append ${event.kind}: its line would have ${bytes} bytes, more than ` +
    `${MAX_LINE_BYTES}; store large content in a file and name its path`;
  throw new SessionError("too-large", message, { bytes, limit: MAX_LINE_BYTES });
}
