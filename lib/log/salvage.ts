/**
 * What can be taken from a line that is no event as a whole: a torn event with the next one glued
 * to it, NUL runs of a power cut, a newline that was lost.
 *
 * Nothing is taken that could be part of the torn event itself: a nested object, or text inside a
 * string, can look like an event. So a candidate counts only where the JSON before it stops being
 * JSON, and only if it reaches the end. Where a tear is ambiguous, the line is lost rather than an
 * event invented.
 */
import { checkLine } from "../event/checksum.ts";
import { MAX_DEPTH } from "../event/decode.ts";
import type { LogEvent } from "../event/envelope.ts";
import type { DiagnosticCode } from "./diagnostic.ts";
import { scanJson } from "./json_scanner.ts";
import type { Line } from "./line_splitter.ts";
import { parseEvent } from "./parse_event.ts";
import { acceptEvent, type ParseState, reportFinding } from "./parse_state.ts";

/** What a stretch of a damaged line is, up to `end`. */
interface Piece {
  end: number;
  event?: LogEvent;
  nul?: boolean;
}

const NUL = 0;
const OPENING_BRACE = 0x7b;
const QUOTE = 0x22;

/** Takes what can be taken from a damaged line; reports and counts all the rest. */
export function salvageLine(state: ParseState, line: Line, events: LogEvent[]): void {
  const pieces = findPieces(line.bytes, state.last_seq ?? 0);
  const lead = line.length - line.bytes.length >= 3 + Number(line.terminated) ? 3 : 0;
  let offset = line.offset;
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    const end = isLast ? line.offset + line.length : line.offset + lead + piece.end;
    const at = { offset, length: end - offset, line: line.line };
    offset = end;
    if (piece.event !== undefined) {
      acceptEvent(state, { ...piece.event, position: at } as LogEvent, at, events);
    } else if (piece.nul) {
      reportFinding(state, "nul-run", at, `${at.length} bytes of a NUL run`);
    } else {
      const code = damageCode(pieces, index, line.terminated);
      reportFinding(state, code, at, DETAIL[code] ?? code);
    }
  }
}

const DETAIL: Partial<Record<DiagnosticCode, string>> = {
  "glued-line": "a torn event with the next one glued to it",
  "torn-tail": "the writer stopped in the middle of this event",
  "malformed-line": "line is no event",
};

function damageCode(pieces: readonly Piece[], index: number, terminated: boolean): DiagnosticCode {
  if (pieces.slice(index + 1).some((piece) => piece.event !== undefined)) return "glued-line";
  return terminated || index < pieces.length - 1 ? "malformed-line" : "torn-tail";
}

/** Cuts a damaged line into events, NUL runs and what is neither, in order and without a gap. */
function findPieces(bytes: Uint8Array, last_seq: number): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let after = last_seq;
  while (start < bytes.length) {
    const nul = bytes.indexOf(NUL, start);
    const end = nul < 0 ? bytes.length : nul;
    for (const piece of findEvents(bytes, start, end, after)) {
      after = piece.event?.seq ?? after;
      pieces.push(piece);
    }
    start = end;
    while (bytes[start] === NUL) start++;
    if (start > end) pieces.push({ end: start, nul: true });
  }
  return pieces.length === 0 ? [{ end: 0 }] : pieces;
}

/** The pieces of a stretch without NUL. */
function* findEvents(
  bytes: Uint8Array,
  start: number,
  end: number,
  last_seq: number,
): Generator<Piece> {
  let at = start;
  let done = start;
  let after = last_seq;
  // Whether all bytes before `at` are accounted for, but for one that was a newline.
  let clean = true;
  while (at < end) {
    const rest = bytes.subarray(at, end);
    const scan = scanJson(rest, 0, MAX_DEPTH);
    const event: LogEvent | undefined = scan.complete
      ? takeEvent(rest, scan.end, clean, after)
      : undefined;
    if (event !== undefined) {
      if (at > done) yield { end: at };
      at += scan.end;
      done = at;
      after = event.seq;
      yield { end: at, event };
    }
    const next = nextCandidate(bytes, nextStart(at, scan.end, event !== undefined, scan.complete));
    clean = event !== undefined && next <= done + 1;
    at = Math.min(next, end);
  }
  if (end > done) yield { end };
}

/** From where to look on: a torn string swallows the next event's `{"`, two bytes before the fault. */
function nextStart(at: number, scanned: number, taken: boolean, complete: boolean): number {
  if (taken) return at;
  return Math.max(at + 1, at + scanned - (complete ? 0 : 2));
}

function nextCandidate(bytes: Uint8Array, start: number): number {
  let at = bytes.indexOf(OPENING_BRACE, start);
  while (at >= 0 && bytes[at + 1] !== QUOTE) at = bytes.indexOf(OPENING_BRACE, at + 1);
  return at < 0 ? bytes.length : at;
}

/**
 * The event in the first `length` bytes. To the very end of the stretch: unless its checksum is
 * wrong. With something behind it: only where nothing unexplained stands before it, and verified.
 */
function takeEvent(
  rest: Uint8Array,
  length: number,
  clean: boolean,
  after: number,
): LogEvent | undefined {
  const bytes = rest.subarray(0, length);
  const checksum = checkLine(bytes);
  const takes = length === rest.length ? checksum !== "mismatch" : clean && checksum === "verified";
  if (!takes) return undefined;
  const event = parseEvent(bytes, "salvaged", { offset: 0, length: 0, line: 0 });
  return typeof event === "object" && event.seq > after ? event : undefined;
}
