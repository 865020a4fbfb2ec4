/**
 * Cuts lines into segments, from a stream or a log. The same bytes give the same segments in any
 * chunks.
 */
import { SessionError } from "../../core/event/session_error.ts";
import type { LocalLog } from "./local_log.ts";

/** Plain bytes of a segment. A longer line is a segment by itself. */
export const SEGMENT_BYTES = 1024 * 1024;

/** The most bytes of a segment, to limit memory. Readers skip lines of half this length. */
export const MAX_SEGMENT_BYTES = 128 * 1024 * 1024;

const LF = 0x0a;

/** Whole lines, and their offset in the session. */
export interface CutLines {
  off: number;
  bytes: Uint8Array;
}

/**
 * Cuts chunks of any size into segments of whole lines. Bytes after the last newline are left out.
 */
export class SegmentCutter {
  #off: number;
  #buffer: Uint8Array = new Uint8Array();
  #length = 0;
  /** Number of the buffer's searched bytes. From the limit on, they contain no newline. */
  #searched: number;
  readonly #limit: number;

  /** @param off Where the first byte lies in its session. @param limit Plain bytes of a segment. */
  constructor(off = 0, limit = SEGMENT_BYTES) {
    this.#off = off;
    this.#limit = limit;
    this.#searched = limit;
  }

  /**
   * Takes the next bytes; gives the segments that no later byte can change.
   *
   * @throws {SessionError} `too-large` for a line that no segment takes.
   */
  *push(chunk: Uint8Array): Generator<CutLines> {
    this.#add(chunk);
    for (let end = this.#end(); end > 0; end = this.#end()) yield this.#cut(end);
  }

  /** Returns the remaining whole lines; undefined if there are none. */
  end(): CutLines | undefined {
    const end = this.#buffer.subarray(0, this.#length).lastIndexOf(LF) + 1;
    return end === 0 ? undefined : this.#cut(end);
  }

  #add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    if (needed > MAX_SEGMENT_BYTES) throw lineTooLong(this.#off);
    if (needed > this.#buffer.length) {
      const least = Math.max(needed, Math.min(2 * this.#length, this.#limit));
      const larger = new Uint8Array(needed > this.#limit ? needed + this.#limit : least);
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = needed;
  }

  /** Returns the end of the first segment; 0 if more bytes are needed to know. */
  #end(): number {
    if (this.#length < this.#limit) return 0;
    if (this.#searched === this.#limit) {
      const last = this.#buffer.subarray(0, this.#limit).lastIndexOf(LF);
      if (last >= 0) return last + 1;
    }
    const next = this.#buffer.subarray(0, this.#length).indexOf(LF, this.#searched);
    if (next < 0) this.#searched = this.#length;
    return next + 1;
  }

  #cut(end: number): CutLines {
    const cut = { off: this.#off, bytes: this.#buffer.subarray(0, end) };
    const rest = this.#buffer.subarray(end, this.#length);
    this.#buffer = rest.slice();
    this.#length = rest.length;
    this.#searched = this.#limit;
    this.#off += end;
    return cut;
  }
}

function lineTooLong(offset: number): SessionError {
  const limit = MAX_SEGMENT_BYTES;
  const message = `Cannot share session: the line at byte ${offset} of the session is ` +
    `longer than ${limit} bytes`;
  return new SessionError("too-large", message, { offset, limit });
}

const SEARCH_BYTES = 256 * 1024;

/**
 * Reads the segments of a log from a line's beginning on. The bytes of one last until the next one
 * is asked for. Only a line that is longer than the buffer gets its own.
 *
 * @param buffer Its length is that of a segment. It can be used for one log after the other.
 * @throws {SessionError} `too-large` for a line that no segment takes; `io`
 */
export function* logSegments(
  log: LocalLog,
  from: number,
  buffer: Uint8Array,
): Generator<CutLines> {
  for (let off = from; off < log.size;) {
    const bytes = nextSegment(log, off, buffer);
    // The log became shorter meanwhile: nobody of ours does that.
    if (bytes.length === 0) return;
    yield { off, bytes };
    off += bytes.length;
  }
}

function nextSegment(log: LocalLog, off: number, buffer: Uint8Array): Uint8Array {
  const bytes = log.readInto(off, buffer.subarray(0, log.size - off));
  const end = bytes.lastIndexOf(LF) + 1;
  return end > 0 ? bytes.subarray(0, end) : log.read(off, lineLength(log, off, buffer.length));
}

/** Returns the length of a line that is known to have `least` bytes or more. */
function lineLength(log: LocalLog, off: number, least: number): number {
  const buffer = new Uint8Array(SEARCH_BYTES);
  for (let length = least; off + length < log.size;) {
    const bytes = log.readInto(off + length, buffer.subarray(0, log.size - off - length));
    const at = bytes.indexOf(LF);
    if (at >= 0) return length + at + 1;
    length += bytes.length;
    if (length > MAX_SEGMENT_BYTES) throw lineTooLong(off);
    if (bytes.length === 0) return 0;
  }
  return 0;
}
