/**
 * The stable outer fields of an event, and the forms in which one is read back.
 *
 * @module
 */
import type { EventKind, PayloadByKind } from "./payload.ts";

/** Where an event came from that was merged, forked or imported. */
export interface EventSource {
  agent?: string;
  session_id: string;
  seq?: number;
  id?: string;
}

/** The fields around every payload. */
export interface Envelope<Kind extends string, Payload> {
  /** Envelope version; absent means 1. */
  v?: number;
  /** 1, 2, 3 … within a log: the order of events. */
  seq: number;
  kind: Kind;
  /** ISO 8601; a label only, since clocks jump. */
  time?: string;
  /** Groups a prompt and all that follows until it settles. */
  turn_id?: string;
  source?: EventSource;
  payload: Payload;
}

/** A fact of a known kind. */
export type Event = { [Kind in EventKind]: Envelope<Kind, PayloadByKind[Kind]> }[EventKind];

/**
 * How far the bytes of an event can be trusted: `verified` by its checksum; `unverified`, for it
 * carries none; `mismatch`, the checksum does not fit; `salvaged` from a damaged line.
 */
export type Integrity = "verified" | "unverified" | "mismatch" | "salvaged";

/** Where a line lies in its log. */
export interface LinePosition {
  /** Byte offset from the file's start. */
  offset: number;
  /** Bytes, with the line's LF, CR and BOM. */
  length: number;
  /** Number of the line, from 1; 0 when read from the end. */
  line: number;
}

/** What reading adds to an event. */
export interface Reading {
  integrity: Integrity;
  /** Absent on events that no file holds. */
  position?: LinePosition;
}

/** An event of a known kind whose payload fits. */
export type KnownEvent = Event & Reading & { form: "known" };

/** An event of a kind, or an envelope version, that this version does not know. */
export interface UnknownEvent extends Envelope<string, unknown>, Reading {
  form: "unknown";
}

/** An event of a known kind whose payload does not fit: kept raw. */
export interface InvalidEvent extends Envelope<string, unknown>, Reading {
  form: "invalid";
  /** What does not fit. */
  reason: string;
}

/** A verified line of a kind that nobody asked for: counted, not parsed. */
export interface UnparsedEvent extends Reading {
  form: "unparsed";
  seq: number;
  kind: string;
  time?: string;
}

/** An event as read from a log. Look at `form` first, then at `kind`. */
export type LogEvent = KnownEvent | UnknownEvent | InvalidEvent | UnparsedEvent;

/** An event to be appended: the log gives `seq` and, where absent, `time`. */
export type NewEvent = {
  [Kind in EventKind]: Omit<Envelope<Kind, PayloadByKind[Kind]>, "v" | "seq">;
}[EventKind];
