/**
 * The stable outer fields of an event, and the forms in which an event is read back.
 *
 * @module
 */
import type { EventKind, PayloadByKind } from "./payload.ts";

/** The origin of an event that was merged, forked or imported. */
export interface EventSource {
  /** Name of the agent that recorded the original event. Absent if Reprise recorded it. */
  agent?: string;
  /** Id of the session that holds the original event, as its own agent writes it. */
  session_id: string;
  /** Sequence number of the original event. Absent if its agent does not number events. */
  seq?: number;
  /** Id of the original record in the session `session_id`. Absent if the record has no id. */
  id?: string;
}

/** The fields around every payload. */
export interface Envelope<Kind extends string, Payload> {
  /** Version of the envelope. Absent means 1. */
  v?: number;
  /** Sequence number of the event in its log: 1, 2, 3 … Events are ordered by this number. */
  seq: number;
  /** Name of the payload's type: snake_case, at most 64 characters. Unknown kinds are kept. */
  kind: Kind;
  /** Time of the event, in ISO 8601. Do not order events by time, because clocks jump. */
  time?: string;
  /** Id of the turn: a prompt and all events until the turn ends. */
  turn_id?: string;
  /**
   * The origin of a copied or imported event. Absent if the event was first appended to this log.
   */
  source?: EventSource;
  /** The event's content. Its shape is given by `kind`. */
  payload: Payload;
}

/** An event whose kind this version knows. */
export type Event = { [Kind in EventKind]: Envelope<Kind, PayloadByKind[Kind]> }[EventKind];

/**
 * The degree to which the bytes of an event can be trusted. `verified`: the checksum is right.
 * `unverified`: the log has no checksums. `mismatch`: the checksum is wrong, or is missing in a log
 * whose lines have one. `salvaged`: the event is from a damaged line.
 */
export type Integrity = "verified" | "unverified" | "mismatch" | "salvaged";

/** The place of a line in its log, by bytes and by number. */
export interface LinePosition {
  /** Byte offset from the file's start. */
  offset: number;
  /** Length in bytes, including the line's LF, CR and byte order mark. */
  length: number;
  /** Number of the line, from 1. The number is 0 if reading began at a later line. */
  line: number;
}

/** The facts that reading adds to an event. */
export interface Reading {
  /** The trust in the event's bytes. Check it before the payload. See {@linkcode Integrity}. */
  integrity: Integrity;
  /** The place of the event's line. Absent if the event is in no file. */
  position?: LinePosition;
}

/** An event of a known kind whose payload fits this kind. */
export type KnownEvent = Event & Reading & { form: "known" };

/** An event whose kind or envelope version is unknown to this version of the library. */
export interface UnknownEvent extends Envelope<string, unknown>, Reading {
  /** Tells that `payload` may hold any value, because it was not checked. */
  form: "unknown";
}

/** An event of a known kind whose payload does not fit this kind. The payload is kept as it is. */
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
  /** Sequence number, read from the start of the line and confirmed by the line's checksum. */
  seq: number;
  /** Kind of the event, read from the start of its line. This version may not know the kind. */
  kind: string;
  /** Time in ISO 8601, in UTC. For speed, only the last event of a batch has a time. */
  time?: string;
}

/** An event as read from a log. Look at `form` first, then at `kind`. */
export type LogEvent = KnownEvent | UnknownEvent | InvalidEvent | UnparsedEvent;

/** An event to append. The log sets `seq`, and also `time` if it is absent. */
export type NewEvent = {
  [Kind in EventKind]: Omit<Envelope<Kind, PayloadByKind[Kind]>, "v" | "seq">;
}[EventKind];
