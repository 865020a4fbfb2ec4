/**
 * Parses one line into events. A whole line takes the short way; a damaged one goes to
 * `salvage.ts`.
 */
import { checkLine } from "../event/checksum.ts";
import { MAX_DEPTH } from "../event/decode.ts";
import type { Integrity, LogEvent } from "../event/envelope.ts";
import { readLinePrefix, readLineTime } from "../event/line_prefix.ts";
import { isBlank, type Line } from "./line_splitter.ts";
import { parseEvent } from "./parse_event.ts";
import { acceptEvent, type ParseState, reportFinding } from "./parse_state.ts";
import { salvageLine } from "./salvage.ts";
import { isUtf8 } from "./utf8.ts";

/** Appends the events of `line` to `events`; reports and counts all the rest. */
export function parseLine(state: ParseState, line: Line, events: LogEvent[]): void {
  state.tally.bytes += line.length;
  if (line.oversized) {
    reportFinding(state, "oversized-line", line, `line has ${line.length} bytes`);
    return;
  }
  const checksum = integrityOf(state, line);
  if (checksum === "verified" && state.kinds !== undefined) {
    const prefix = readLinePrefix(line.bytes);
    if (prefix !== undefined && !state.kinds.has(prefix.kind)) {
      const { seq, kind } = prefix;
      acceptEvent(state, { form: "unparsed", seq, kind, integrity: "verified" }, line, events);
      state.unparsed = line.bytes;
      return;
    }
  }
  if (isBlank(line.bytes)) state.tally.blank += line.length;
  else if (!parseWhole(state, line, checksum, events)) salvageLine(state, line, events);
}

/**
 * Gives the last event of a batch its time, if it stayed unparsed: of the others nobody asks, and
 * reading it of every line would cost more than its checksum. To be called while the bytes last.
 */
export function timeLastEvent(state: ParseState, events: LogEvent[]): void {
  const last = events[events.length - 1];
  if (last?.form !== "unparsed" || state.unparsed === undefined) return;
  const time = readLineTime(state.unparsed);
  if (time !== undefined) last.time = time;
}

/** How far the line can be trusted; it counts in the history of those behind it. */
function integrityOf(state: ParseState, { bytes, offset }: Line): Integrity {
  const checksum = checkLine(bytes);
  if (checksum !== "unverified") {
    state.checked = true;
    return checksum;
  }
  const expected = state.checked === true || (state.history?.(offset) ?? false);
  return expected ? "mismatch" : "unverified";
}

/** Takes the line as one event, if it is one and its bytes are its own. */
function parseWhole(
  state: ParseState,
  line: Line,
  checksum: Integrity,
  events: LogEvent[],
): boolean {
  const event = parseEvent(line.bytes, checksum, line);
  if (event === "malformed-line") return false;
  if (event === "too-deep") {
    reportFinding(state, "too-deep", line, `line nests more than ${MAX_DEPTH} levels`);
    return true;
  }
  if (checksum !== "verified" && !isUtf8(line.bytes)) {
    reportFinding(state, "invalid-utf8", line, "bytes that are no UTF-8 are shown as U+FFFD");
  }
  // Else the last time that is known would depend on where the bytes are cut.
  if (event.time === undefined) timeLastEvent(state, events);
  acceptEvent(state, event, line, events);
  return true;
}
