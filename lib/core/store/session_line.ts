/** Encodes events as lines within the size limit, and copies events that must wait. */
import { ENVELOPE_VERSION } from "../event/decode.ts";
import { encodeEvent, encodeFields } from "../event/encode.ts";
import type { Event, LogEvent, NewEvent, UnparsedEvent } from "../event/envelope.ts";
import { parseExact } from "../event/exact_json.ts";
import { present } from "../event/present.ts";
import { SessionError } from "../event/session_error.ts";
import { MAX_LINE_BYTES } from "../log/line_splitter.ts";
import { type SummaryState, toCheckpoint } from "../projection/summary.ts";

/**
 * Copies an event that is written later, so that the caller may change the original meanwhile.
 * Throws for an invalid event now, while the caller can still get the error.
 *
 * @throws {TypeError} When the event does not fit its kind.
 * @throws {SessionError} `too-large`
 */
export function asHeld(event: NewEvent): NewEvent {
  encodeLine({ ...event, seq: 1 } as Event);
  return parseExact(JSON.stringify(event)) as NewEvent;
}

export interface NumberedLine {
  event: Event;
  /** The bytes of the line, with its newline. */
  line: Uint8Array;
}

/**
 * Encodes an event as a line.
 *
 * @throws {TypeError} When the event does not fit its kind.
 * @throws {SessionError} `too-large`
 */
export function encodeLine(event: Event): Uint8Array {
  return withinLimit(encodeEvent(event), event.kind);
}

/** Throws if a line is so long that readers would skip it. */
function withinLimit(line: Uint8Array, kind: string): Uint8Array {
  if (line.length <= MAX_LINE_BYTES) return line;
  const bytes = line.length;
  const message = `Cannot append ${kind}: the event's line would have ${bytes} bytes, and ` +
    `the limit is ${MAX_LINE_BYTES} bytes; store large content in a file and record ` +
    "the file's path";
  throw new SessionError("too-large", message, { bytes, limit: MAX_LINE_BYTES });
}

/** An event that was parsed, so that its payload is known. */
export type ReadEvent = Exclude<LogEvent, UnparsedEvent>;

/**
 * Returns the line of an event that was read, with all its fields. Its kind may be unknown, and its
 * payload invalid. The checksum of an altered event stays wrong.
 *
 * @param event An event as a reader returned it.
 * @returns The line with its checksum and newline.
 * @throws {SessionError} `too-large`
 */
export function encodeReadLine(event: ReadEvent): Uint8Array {
  const { integrity, seq, kind, time, turn_id, source, payload, v, form, ...rest } = event;
  const { position: _position, ...more } = rest as Record<string, unknown>;
  // In an invalid event, `reason` is the reader's text, not a field of the line.
  if (form === "invalid") delete more.reason;
  const known = { v: v ?? ENVELOPE_VERSION, seq, kind, time, turn_id, source, payload };
  const line = encodeFields({ ...known, ...more });
  return withinLimit(integrity === "mismatch" ? withWrongChecksum(line) : line, kind);
}

/** Distance of a checksum's last digit from the line's end: before quote, brace and LF. */
const LAST_DIGIT = 4;
const [ZERO, ONE] = [0x30, 0x31];

function withWrongChecksum(line: Uint8Array): Uint8Array {
  const at = line.length - LAST_DIGIT;
  line[at] = line[at] === ZERO ? ONE : ZERO;
  return line;
}

export function checkpointAfter(state: SummaryState, time: string): Event {
  const { turn_id, last_seq = 0 } = state;
  const payload = toCheckpoint(state);
  // Reuses the last prompt's turn id so that turns are not counted twice.
  return { seq: last_seq + 1, kind: "session_checkpoint", time, ...present({ turn_id }), payload };
}
