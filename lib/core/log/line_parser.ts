/**
 * Parses one line into events. A whole line is one event. From a damaged line, it salvages the
 * readable events. Lines may be glued, hold a NUL run of a power cut, or lack a newline.
 */
import { isUtf8 } from "../event/bytes.ts";
import { checkLine } from "../event/checksum.ts";
import { MAX_DEPTH } from "../event/decode.ts";
import type { Integrity, LogEvent } from "../event/envelope.ts";
import { readLinePrefix, readLineTime } from "../event/line_prefix.ts";
import { ACTIVITY_KINDS } from "../event/policy.ts";
import type { DiagnosticCode } from "./diagnostic.ts";
import { cutLine, type EventPiece } from "./line_pieces.ts";
import { isBlank, type Line } from "./line_splitter.ts";
import { parseEvent } from "./parse_event.ts";
import { acceptEvent, emptyTally, type ParseState, reportFinding } from "./parse_state.ts";

/** Parses a line without the lines before it; `history` tells if those have checksums. */
export function parseLineAlone(
  line: Line,
  { kinds, history, report = () => {} }: Partial<Pick<ParseState, "kinds" | "history" | "report">>,
): LogEvent[] {
  const events: LogEvent[] = [];
  parseLine({ last_seq: undefined, kinds, report, tally: emptyTally(), history }, line, events);
  return events;
}

/** Appends the events of `line` to `events`; reports and counts all the rest. */
export function parseLine(state: ParseState, line: Line, events: LogEvent[]): void {
  state.tally.bytes += line.length;
  if (line.oversized) {
    reportFinding(state, "oversized-line", line, `the line is ${line.length} bytes long`);
    return;
  }
  const checksum = integrityOf(state, line);
  if (checksum === "verified" && state.kinds !== undefined) {
    const prefix = readLinePrefix(line.bytes);
    if (prefix !== undefined && !state.kinds.has(prefix.kind)) {
      const { seq, kind } = prefix;
      const event: LogEvent = { form: "unparsed", seq, kind, integrity: "verified" };
      acceptEvent(state, event, line, events);
      state.unparsed = line.bytes;
      if (ACTIVITY_KINDS.has(kind)) state.activity = { event, bytes: line.bytes };
      return;
    }
  }
  if (isBlank(line.bytes)) state.tally.blank += line.length;
  else if (!parseWhole(state, line, checksum, events)) salvageLine(state, line, events);
}

/**
 * Sets the times of a batch's last event and last activity if they stayed unparsed. Only these are
 * used, and reading every time would cost more than a checksum. Call it while the bytes are valid.
 */
export function timeLastEvent(state: ParseState, events: LogEvent[]): void {
  const { activity } = state;
  const used_at = activity && readLineTime(activity.bytes);
  if (activity !== undefined && used_at !== undefined) activity.event.time = used_at;
  delete state.activity;
  const last = events[events.length - 1];
  if (last?.form !== "unparsed" || state.unparsed === undefined) return;
  const time = readLineTime(state.unparsed);
  if (time !== undefined) last.time = time;
}

/** Checks a line's checksum, and records that the log has checksums. */
function integrityOf(state: ParseState, { bytes, offset }: Line): Integrity {
  const checksum = checkLine(bytes);
  if (checksum !== "unverified") {
    state.checked = true;
    return checksum;
  }
  const expected = state.checked === true || (state.history?.(offset) ?? false);
  return expected ? "mismatch" : "unverified";
}

/** Parses the line as one event. Returns false if the line is malformed. */
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
  // Else the last time that is known would depend on where the bytes are cut.
  // A message in the user's name may be hidden.
  if (event.time === undefined || event.kind === "user_message") timeLastEvent(state, events);
  else if (ACTIVITY_KINDS.has(event.kind)) delete state.activity;
  acceptEvent(state, event, line, events);
  return true;
}

/** Takes the usable parts of a damaged line; reports and counts all the rest. */
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
  "glued-line": "an incomplete event runs into the next one",
  "torn-tail": "the writer stopped in the middle of this event",
  "malformed-line": "line is not an event",
};

/**
 * Parses a candidate for an event. At the end of its stretch, its checksum must not be wrong.
 * Elsewhere the checksum must be verified and no garbage may precede it.
 */
function takeEvent({ bytes, last, clean }: EventPiece, after: number): LogEvent | undefined {
  const checksum = checkLine(bytes);
  const takes = last ? checksum !== "mismatch" : clean && checksum === "verified";
  if (!takes) return undefined;
  const event = parseEvent(bytes, "salvaged", { offset: 0, length: 0, line: 0 });
  return typeof event === "object" && event.seq > after ? event : undefined;
}
