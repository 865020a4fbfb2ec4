/**
 * Parses one line into events. A whole line is one event. From a damaged line, it salvages the
 * readable events. Lines may be glued, hold a NUL run of a power cut, or lack a newline.
 */
import { isUtf8 } from "../event/bytes.ts";
import { checkLine } from "../event/checksum.ts";
import { MAX_DEPTH } from "../event/decode.ts";
import type { Integrity, LinePosition, LogEvent } from "../event/envelope.ts";
import { type LinePrefix, readLinePrefix, readLineTime } from "../event/line_prefix.ts";
import { ACTIVITY_KINDS } from "../event/policy.ts";
import type { DiagnosticCode } from "./diagnostic.ts";
import { cutLine, type EventPiece } from "./line_pieces.ts";
import { type LineBlock, lineIn, linesIn } from "./line_blocks.ts";
import { isBlank, type Line, MAX_LINE_BYTES } from "./line_splitter.ts";
import { parseEvent } from "./parse_event.ts";
import {
  acceptEvent,
  emptyTally,
  type ParseState,
  reportFinding,
  type UnparsedLine,
} from "./parse_state.ts";

/** Parses one line without the lines before it. `history` tells if any of them has a checksum. */
export function parseLineAlone(
  line: Line,
  { kinds, history, report = () => {} }: Partial<Pick<ParseState, "kinds" | "history" | "report">>,
): LogEvent[] {
  const events: LogEvent[] = [];
  parseLine({ last_seq: undefined, kinds, report, tally: emptyTally(), history }, line, events);
  return events;
}

/** Appends the events of `line` to `events`. Reports bytes of no event, and counts all bytes. */
export function parseLine(state: ParseState, line: Line, events: LogEvent[]): void {
  const { bytes, length } = line;
  if (line.oversized) {
    state.tally.bytes += length;
    return reportFinding(state, "oversized-line", line, `the line is too long: ${length} bytes`);
  }
  const checksum = checkLine(bytes);
  const unwanted = checksum === "verified" ? unwantedPrefix(state, bytes, 0) : undefined;
  if (unwanted !== undefined) return passUnparsed(state, unwanted, bytes, 0, line, events);
  state.tally.bytes += length;
  const integrity = integrityOf(state, checksum, line);
  if (isBlank(bytes)) state.tally.blank += length;
  else if (!parseWhole(state, line, integrity, events)) salvageLine(state, line, events);
}

/**
 * Appends the events of a block of lines, as {@linkcode parseLine} does for each line. Stops after
 * the line at which `ended` returns true, and drops the events of that line. Makes no line object
 * for a verified line whose kind is not wanted.
 *
 * @param first Number of the block's first line, or 0 if the lines before it were not counted.
 * @returns Number of the line after the block.
 */
export function parseBlock(
  state: ParseState,
  block: LineBlock,
  { first, most_bytes = MAX_LINE_BYTES }: { first: number; most_bytes: number | undefined },
  events: LogEvent[],
  ended: () => boolean,
): number {
  const { finder: { bytes }, end, feeds, offset } = block;
  let [start, number] = [0, first];
  const step = Math.sign(first);
  if (block.oversized) {
    for (const line of linesIn(block, number)) {
      parseLine(state, line, events);
    }
    number += step;
  }
  for (let at = 0; start < end; at++) {
    const before = events.length;
    const feed = feeds[at] ?? end;
    const line = { offset: offset + start, length: feed + 1 - start, line: number };
    number += step;
    const plain = feed < end && line.length <= most_bytes;
    const unwanted = plain ? unwantedPrefix(state, bytes, start) : undefined;
    if (unwanted !== undefined && checkLine(bytes, start, feed) === "verified") {
      passUnparsed(state, unwanted, bytes, start, line, events);
    } else {
      parseLine(state, lineIn(block, start, feed, line.line, most_bytes), events);
    }
    if (ended()) {
      events.length = before;
      break;
    }
    start = feed + 1;
  }
  return number;
}

function unwantedPrefix(
  { kinds }: ParseState,
  bytes: Uint8Array,
  start: number,
): LinePrefix | undefined {
  const prefix = kinds === undefined ? undefined : readLinePrefix(bytes, start);
  return prefix === undefined || kinds?.has(prefix.kind) ? undefined : prefix;
}

function passUnparsed(
  state: ParseState,
  { seq, kind }: LinePrefix,
  bytes: Uint8Array,
  start: number,
  line: LinePosition,
  events: LogEvent[],
): void {
  const event: LogEvent = { form: "unparsed", seq, kind, integrity: "verified" };
  state.checked = true;
  state.tally.bytes += line.length;
  acceptEvent(state, event, line, events);
  state.unparsed = lineOf(state.unparsed, event, bytes, start);
  if (ACTIVITY_KINDS.has(kind)) state.activity = lineOf(state.activity, event, bytes, start);
}

/** Overwrites the object in `reused`, because lines are many. */
function lineOf(
  reused: UnparsedLine | undefined,
  event: LogEvent,
  bytes: Uint8Array,
  start: number,
): UnparsedLine {
  if (reused === undefined) return { event, bytes, start };
  reused.event = event;
  reused.bytes = bytes;
  reused.start = start;
  return reused;
}

/**
 * Reads the times of a batch's last event and last activity if these events are unparsed. Readers
 * need no other times, and reading all times would take longer than checking checksums. The bytes
 * of the lines must still be valid.
 */
export function timeLastEvent({ unparsed, activity }: ParseState, events: LogEvent[]): void {
  if (activity?.event !== undefined) readTime(activity, activity.event);
  if (activity !== undefined) activity.event = undefined;
  const last = events[events.length - 1];
  if (last?.form === "unparsed" && unparsed !== undefined) readTime(unparsed, last);
}

function readTime({ bytes, start }: UnparsedLine, event: LogEvent): void {
  const time = readLineTime(bytes, start);
  if (time !== undefined) event.time = time;
}

/** Returns the checksum's result, and records in `state` that the log has checksums. */
function integrityOf(state: ParseState, checksum: Integrity, { offset }: Line): Integrity {
  if (checksum !== "unverified") {
    state.checked = true;
    return checksum;
  }
  const expected = state.checked === true || (state.history?.(offset) ?? false);
  return expected ? "mismatch" : "unverified";
}

function parseWhole(
  state: ParseState,
  line: Line,
  checksum: Integrity,
  events: LogEvent[],
): boolean {
  const event = parseEvent(line.bytes, checksum, line);
  if (event === "malformed-line") return false;
  if (event === "too-deep") {
    reportFinding(state, "too-deep", line, `the line has more than ${MAX_DEPTH} nested levels`);
    return true;
  }
  if (checksum !== "verified" && !isUtf8(line.bytes)) {
    reportFinding(state, "invalid-utf8", line, "invalid UTF-8 is shown as U+FFFD");
  }
  // Otherwise the last known time would depend on how the bytes are split into batches. The user
  // message may be hidden, and then is no activity.
  if (event.time === undefined || event.kind === "user_message") timeLastEvent(state, events);
  else if (ACTIVITY_KINDS.has(event.kind) && state.activity !== undefined) {
    state.activity.event = undefined;
  }
  acceptEvent(state, event, line, events);
  return true;
}

/** Appends the readable events of a damaged line. Reports the bytes between these events. */
function salvageLine(state: ParseState, line: Line, events: LogEvent[]): void {
  let after = state.last_seq ?? 0;
  const pieces = cutLine(line, (candidate) => {
    const event = takeEvent(candidate, after);
    if (event !== undefined) after = event.seq;
    return event;
  });
  for (const { value, code = "malformed-line", ...at } of pieces) {
    if (value !== undefined) acceptEvent(state, { ...value, position: at }, at, events);
    else if (code === "nul-run") reportFinding(state, code, at, `${at.length} NUL bytes`);
    else reportFinding(state, code, at, DETAIL[code] ?? code);
  }
}

const DETAIL: Partial<Record<DiagnosticCode, string>> = {
  "glued-line": "an incomplete event and the next event are on the same line",
  "torn-tail": "this event is incomplete: the program that wrote it stopped in the middle",
  "malformed-line": "the line is not an event",
};

/**
 * Parses an object in a damaged line as an event. Returns undefined if it cannot be trusted. An
 * object at the end of the line, or before a NUL, may lack a checksum. Any other object needs a
 * verified checksum, and no garbage before it.
 */
function takeEvent({ bytes, last, clean }: EventPiece, after: number): LogEvent | undefined {
  const checksum = checkLine(bytes);
  const takes = last ? checksum !== "mismatch" : clean && checksum === "verified";
  if (!takes) return undefined;
  const event = parseEvent(bytes, "salvaged", { offset: 0, length: 0, line: 0 });
  return typeof event === "object" && event.seq > after ? event : undefined;
}
