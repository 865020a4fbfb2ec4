/**
 * The stable outer fields of an event, and the forms in which one is read back.
 *
 * @module
 */
import type { EventKind, PayloadByKind } from "./payload.ts";

/** The origin of an event that was merged, forked or imported. */
export interface EventSource {
  /** The agent that kept the original; absent where it was a session of ours. */
  agent?: string;
  /** Id of the session that holds the original, as its own agent writes it. */
  session_id: string;
  /** Number of the original in that session; absent where its agent does not number. */
  seq?: number;
  /** The record's own id there; absent where it has none. */
  id?: string;
}

/** The fields around every payload. */
export interface Envelope<Kind extends string, Payload> {
  /** Envelope version: 1, which is also meant where it is absent. */
  v?: number;
  /** 1, 2, 3 … within a log: the order of events. */
  seq: number;
  /** Names the payload's type: snake_case, at most 64 characters. Unknown ones are kept. */
  kind: Kind;
  /** ISO 8601; a label only, since clocks jump. */
  time?: string;
  /** Groups a prompt and all that follows until it settles. */
  turn_id?: string;
  /** Absent on an event that was first appended here. */
  source?: EventSource;
  /** The event's content; its shape is given by `kind`. */
  payload: Payload;
}

/** A fact of a known kind. */
export type Event = { [Kind in EventKind]: Envelope<Kind, PayloadByKind[Kind]> }[EventKind];

/**
 * The degree to which the bytes of an event can be trusted. `verified`: by its checksum.
 * `unverified`: in a log without checksums. `mismatch`: the checksum is wrong, or is missing in a
 * log whose lines have one. `salvaged`: from a damaged line.
 */
export type Integrity = "verified" | "unverified" | "mismatch" | "salvaged";

/** The place of a line in its log. */
export interface LinePosition {
  /** Byte offset from the file's start. */
  offset: number;
  /** Bytes, with the line's LF, CR and BOM. */
  length: number;
  /** Number of the line, from 1; 0 when read from the end. */
  line: number;
}

/** The facts that reading adds to an event. */
export interface Reading {
  /** Look here before you believe the payload: see {@linkcode Integrity}. */
  integrity: Integrity;
  /** Absent on events that no file holds. */
  position?: LinePosition;
}

/** An event of a known kind whose payload fits. */
export type KnownEvent = Event & Reading & { form: "known" };

/** An event of a kind, or an envelope version, that this version does not know. */
export interface UnknownEvent extends Envelope<string, unknown>, Reading {
  /** Tells that `payload` may hold anything: it was not looked at. */
  form: "unknown";
}

/** An event of a known kind whose payload does not fit: kept raw. */
export interface InvalidEvent extends Envelope<string, unknown>, Reading {
  /** Tells that `payload` is not what `kind` promises. */
  form: "invalid";
  /** The reason why the payload does not fit. */
  reason: string;
}

/** A verified line of a kind that was not requested: counted, not parsed. */
export interface UnparsedEvent extends Reading {
  /** Tells that there is no payload here: the line was not parsed. */
  form: "unparsed";
  /** The number in the line's first bytes, which its checksum covers. */
  seq: number;
  /** The kind in the line's first bytes; may be one that this version does not know. */
  kind: string;
  /** ISO 8601 in UTC; absent on all but the last event of a batch, to save reading it. */
  time?: string;
}

/** An event as read from a log. Look at `form` first, then at `kind`. */
export type LogEvent = KnownEvent | UnknownEvent | InvalidEvent | UnparsedEvent;

/** An event to be appended: the log gives `seq` and, where absent, `time`. */
export type NewEvent = {
  [Kind in EventKind]: Omit<Envelope<Kind, PayloadByKind[Kind]>, "v" | "seq">;
}[EventKind];
