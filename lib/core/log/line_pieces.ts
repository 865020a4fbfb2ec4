/**
 * Splits a damaged line into values, NUL runs and the rest, in order and without a gap. Skips all
 * that could be part of a torn value. A nested object, or text inside a string, can look like an
 * event. So an object counts only where the JSON before it stops being JSON. After bytes that are
 * no JSON at all, no `:`, `,` or `[` may precede the object. Where a tear is ambiguous, the line is
 * lost rather than a value invented.
 */
import { MAX_DEPTH } from "../event/decode.ts";
import type { LinePosition } from "../event/envelope.ts";
import type { DiagnosticCode } from "./diagnostic.ts";
import { scanJson } from "./json_bytes/scan_json.ts";
import type { Line } from "./line_splitter.ts";

/** A complete JSON object in a damaged line, which may be an event. */
export interface EventPiece {
  bytes: Uint8Array;
  /** True if a NUL byte or the line's end follows `bytes`. */
  last: boolean;
  /** True if no garbage precedes `bytes`. One byte in place of a newline is allowed. */
  clean: boolean;
}

/** A part of a damaged line: a value, or the code of the damage. */
export interface LinePiece<Value> extends LinePosition {
  value?: Value;
  code?: DiagnosticCode;
}

interface Piece<Value> {
  end: number;
  value?: Value;
  nul?: boolean;
}

type Take<Value> = (candidate: EventPiece) => Value | undefined;

const NUL = 0;
const OPENING_BRACE = 0x7b;
const QUOTE = 0x22;
const SPACE = 0x20;
/** Bytes after which JSON expects a value: `:`, `,` and `[`. */
const VALUE_OPENERS: ReadonlySet<number> = new Set([0x3a, 0x2c, 0x5b]);

/**
 * Cuts a line into objects and what is between them. `take` returns an object's value, or undefined
 * to reject it.
 */
export function cutLine<Value>(line: Line, take: Take<Value>): LinePiece<Value>[] {
  const pieces = findPieces(line.bytes, take);
  const lastValue = pieces.findLastIndex((piece) => piece.value !== undefined);
  const lead = line.length - line.bytes.length >= 3 + Number(line.terminated) ? 3 : 0;
  let offset = line.offset;
  return pieces.map((piece, index) => {
    const isLast = index === pieces.length - 1;
    const end = isLast ? line.offset + line.length : line.offset + lead + piece.end;
    const at = { offset, length: end - offset, line: line.line };
    offset = end;
    if (piece.value !== undefined) return { ...at, value: piece.value };
    if (piece.nul) return { ...at, code: "nul-run" };
    if (index < lastValue) return { ...at, code: "glued-line" };
    return { ...at, code: isLast && !line.terminated ? "torn-tail" : "malformed-line" };
  });
}

function findPieces<Value>(bytes: Uint8Array, take: Take<Value>): Piece<Value>[] {
  const pieces: Piece<Value>[] = [];
  let start = 0;
  let candidate = -1;
  while (start < bytes.length) {
    const nul = bytes.indexOf(NUL, start);
    const end = nul < 0 ? bytes.length : nul;
    if (candidate < start) candidate = nextCandidate(bytes, start);
    // Noise has a NUL every few hundred bytes: bytes between two NULs without an object are
    // skipped.
    if (candidate < end || firstByte(bytes, start) === OPENING_BRACE) {
      for (const piece of findValues(bytes.subarray(start, end), take)) {
        addPiece(pieces, { ...piece, end: start + piece.end });
      }
    } else if (end > start) {
      addPiece(pieces, { end });
    }
    start = end;
    while (bytes[start] === NUL) start++;
    if (start > end) addPiece(pieces, { end: start, nul: true });
  }
  return pieces.length === 0 ? [{ end: 0 }] : pieces;
}

/**
 * Appends a piece. In a row of damaged pieces, the fourth and later pieces only extend the third.
 * This limits the number of findings.
 */
function addPiece<Value>(pieces: Piece<Value>[], piece: Piece<Value>): void {
  const last = pieces.at(-1);
  if (last !== undefined && [piece, last, pieces.at(-2), pieces.at(-3)].every(isDamage)) {
    last.end = piece.end;
    last.nul = false;
  } else {
    pieces.push(piece);
  }
}

function isDamage(piece: Piece<unknown> | undefined): boolean {
  return piece !== undefined && piece.value === undefined;
}

/** Yields the values in bytes without a NUL, and the bytes between the values. */
function* findValues<Value>(bytes: Uint8Array, take: Take<Value>): Generator<Piece<Value>> {
  let at = 0;
  let done = 0;
  let clean = true;
  // True if the JSON before `at` cannot continue there, so that an object at `at` is not nested.
  let outermost = true;
  while (at < bytes.length) {
    const rest = bytes.subarray(at);
    const isObject = firstByte(rest, 0) === OPENING_BRACE;
    const { end, complete } = scanJson(rest, 0, MAX_DEPTH);
    const value: Value | undefined = complete && isObject && (outermost || !mayBeNested(bytes, at))
      ? take({ bytes: rest.subarray(0, end), last: end === rest.length, clean })
      : undefined;
    if (value !== undefined) {
      if (at > done) yield { end: at };
      done = at + end;
      yield { end: done, value };
    }
    // A torn string swallows the next value's `{"`, two bytes before the fault.
    const next = nextCandidate(bytes, Math.max(at + 1, at + end - (complete && isObject ? 0 : 2)));
    outermost &&= isObject && next <= at + end;
    clean = value !== undefined && next <= done + 1;
    at = next;
  }
  if (bytes.length > done) yield { end: bytes.length };
}

function firstByte(bytes: Uint8Array, start: number): number | undefined {
  let at = start;
  while (bytes[at] === SPACE) at++;
  return bytes[at];
}

function mayBeNested(bytes: Uint8Array, at: number): boolean {
  const before = bytes.subarray(0, at).findLast((byte) => byte !== SPACE);
  return before !== undefined && VALUE_OPENERS.has(before);
}

function nextCandidate(bytes: Uint8Array, start: number): number {
  let at = bytes.indexOf(OPENING_BRACE, start);
  while (at >= 0 && bytes[at + 1] !== QUOTE) at = bytes.indexOf(OPENING_BRACE, at + 1);
  return at < 0 ? bytes.length : at;
}
