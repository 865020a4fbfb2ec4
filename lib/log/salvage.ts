/** Salvages events from a damaged line: glued lines, NUL runs of a power cut, a lost newline. */
import { checkLine } from "../event/checksum.ts";
import type { LogEvent } from "../event/envelope.ts";
import type { DiagnosticCode } from "./diagnostic.ts";
import { type Candidate, cutLine } from "./line_pieces.ts";
import type { Line } from "./line_splitter.ts";
import { parseEvent } from "./parse_event.ts";
import { acceptEvent, type ParseState, reportFinding } from "./parse_state.ts";

/** Takes what can be taken from a damaged line; reports and counts all the rest. */
export function salvageLine(state: ParseState, line: Line, events: LogEvent[]): void {
  let after = state.last_seq ?? 0;
  const pieces = cutLine(line, (candidate) => {
    const event = takeEvent(candidate, after);
    if (event !== undefined) after = event.seq;
    return event;
  });
  for (const { value, code = "malformed-line", ...at } of pieces) {
    if (value !== undefined) acceptEvent(state, { ...value, position: at }, at, events);
    else if (code === "nul-run") reportFinding(state, code, at, `${at.length} bytes of a NUL run`);
    else reportFinding(state, code, at, DETAIL[code] ?? code);
  }
}

const DETAIL: Partial<Record<DiagnosticCode, string>> = {
  "glued-line": "a torn event with the next one glued to it",
  "torn-tail": "the writer stopped in the middle of this event",
  "malformed-line": "line is no event",
};

/**
 * The event that a candidate is. At the very end: unless its checksum is wrong. With something
 * behind it: only where nothing unexplained stands before it, and verified.
 */
function takeEvent({ bytes, last, clean }: Candidate, after: number): LogEvent | undefined {
  const checksum = checkLine(bytes);
  const takes = last ? checksum !== "mismatch" : clean && checksum === "verified";
  if (!takes) return undefined;
  const event = parseEvent(bytes, "salvaged", { offset: 0, length: 0, line: 0 });
  return typeof event === "object" && event.seq > after ? event : undefined;
}
