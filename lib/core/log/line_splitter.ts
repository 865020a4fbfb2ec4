/**
 * Splits bytes into lines at 0x0A, before any decoding. So an invalid byte affects no other line,
 * and U+2028 does not end a line.
 */
import type { LinePosition } from "../event/envelope.ts";
import { type ByteFinder, makeByteFinder } from "./byte_finder.ts";

/** Maximum bytes of a line. Longer lines are skipped. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** One line of a log. Its bytes are valid until its batch is released. */
export interface Line extends LinePosition {
  /** The line's bytes without LF, CR and BOM. Empty if the line is `oversized`. */
  bytes: Uint8Array;
  /** True if the line ends with an LF. */
  terminated: boolean;
  /** True if the line exceeds the limit, so that its bytes were not kept. */
  oversized: boolean;
}

export interface SplitState {
  /** Offset in the file of the unfinished line's first byte. */
  offset: number;
  /** Number of the unfinished line, or 0 if lines are not counted. */
  line: number;
  /** Maximum bytes of a line, without its LF. The bytes of longer lines are dropped. */
  readonly limit: number;
  /** A buffer that begins with the unfinished line. Empty once the line exceeds the limit. */
  held: Uint8Array;
  /** Buffer of the last line that came in several chunks. Added to `free` after the line's use. */
  returnable: Uint8Array | undefined;
  /** Buffers to reuse. A new buffer for each long line would wait for the garbage collector. */
  readonly free: Uint8Array[];
  /** Number of bytes of the unfinished line, including dropped bytes. */
  carried: number;
}

const CR = 0x0d;
const NO_BYTES = new Uint8Array(0);

export function startSplit(limit = MAX_LINE_BYTES, offset = 0, line = 1): SplitState {
  return { offset, line, limit, held: NO_BYTES, returnable: undefined, free: [], carried: 0 };
}

/** Returns a line without its BOM and CR. */
export function trimLine(bytes: Uint8Array): Uint8Array {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const end = bytes[bytes.length - 1] === CR && bytes.length > start
    ? bytes.length - 1
    : bytes.length;
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

/** Copies the bytes after the last line feed for the next chunk. */
export function splitChunk(state: SplitState, chunk: Uint8Array): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const end of lineFeeds(chunk)) {
    const piece = chunk.subarray(start, end);
    lines.push(finishLine(state, state.carried === 0 ? piece : joinCarried(state, piece), true));
    start = end + 1;
  }
  if (start < chunk.length) carry(state, chunk.subarray(start));
  return lines;
}

export function splitRest(state: SplitState): Line | undefined {
  if (state.carried === 0) return undefined;
  return finishLine(state, joinCarried(state, NO_BYTES), false);
}

function carry(state: SplitState, piece: Uint8Array): void {
  const size = state.carried + piece.length;
  if (size > state.limit) {
    state.held = NO_BYTES;
  } else {
    if (size > state.held.length) grow(state, size);
    state.held.set(piece, state.carried);
  }
  state.carried = size;
}

function grow(state: SplitState, size: number): void {
  const free = state.free.pop();
  const room = Math.max(2 * size, 4 * state.held.length);
  const larger = free !== undefined && free.length >= size
    ? free
    : new Uint8Array(2 * room > state.limit ? state.limit : room);
  larger.set(state.held.subarray(0, state.carried));
  state.held = larger;
}

function joinCarried(state: SplitState, piece: Uint8Array): Uint8Array | undefined {
  carry(state, piece);
  if (state.carried > state.limit) return undefined;
  state.returnable = state.held;
  return state.held.subarray(0, state.carried);
}

function finishLine(state: SplitState, raw: Uint8Array | undefined, terminated: boolean): Line {
  const size = state.carried === 0 ? raw?.length ?? 0 : state.carried;
  const oversized = raw === undefined || size > state.limit;
  const line: Line = {
    bytes: oversized ? NO_BYTES : trimLine(raw),
    offset: state.offset,
    length: size + (terminated ? 1 : 0),
    line: state.line,
    terminated,
    oversized,
  };
  state.offset += line.length;
  state.line += Math.sign(state.line);
  state.held = NO_BYTES;
  state.carried = 0;
  return line;
}

export function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}

const LF = 0x0a;
/** Number of bytes below which a loop is used instead of a finder. */
const FEW_BYTES = 256;
const ROOM_BYTES = 128 * 1024;
let room: ByteFinder | undefined;

/**
 * Finds all line feeds. Copies the bytes to a finder's memory. For bytes that were just read,
 * copying and searching them there is faster than a loop in JavaScript.
 */
function lineFeeds(bytes: Uint8Array): number[] {
  const found: number[] = [];
  if (bytes.length < FEW_BYTES) {
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) found.push(at);
    return found;
  }
  room ??= makeByteFinder(ROOM_BYTES);
  for (let start = 0; start < bytes.length; start += ROOM_BYTES) {
    const part = bytes.subarray(start, start + ROOM_BYTES);
    room.bytes.set(part);
    const places = room.places(LF, 0, part.length);
    for (let index = 0; index < places.length; index++) {
      found.push(start + (places[index] as number));
    }
  }
  return found;
}
