/** Cuts a stream of lines into parts. The parts do not depend on the sizes of the chunks. */
import { SessionError } from "../../../core/event/session_error.ts";

/** Maximum bytes of a part before compression. A longer line is a part by itself. */
export const PART_BYTES = 1024 * 1024;

/** Maximum bytes of a part, to limit memory. Readers already skip lines of half this length. */
export const MAX_PART_BYTES = 128 * 1024 * 1024;

const LF = 0x0a;

/** Whole lines, and their offset in the session. */
export interface CutLines {
  off: number;
  bytes: Uint8Array;
}

/** Cuts chunks of any size into parts of whole lines. Bytes after the last newline are left out. */
export class LineCutter {
  #off: number;
  #buffer: Uint8Array = new Uint8Array();
  #length = 0;
  /** Offset in the buffer. No newline lies between `#limit` and this offset. */
  #searched: number;
  readonly #limit: number;

  /**
   * @param off Offset of the first byte in its session. @param limit Maximum number of bytes of a
   * part.
   */
  constructor(off = 0, limit = PART_BYTES) {
    this.#off = off;
    this.#limit = limit;
    this.#searched = limit;
  }

  /**
   * Adds the next bytes, and yields the parts that no later byte can change.
   *
   * @throws {SessionError} `too-large` for a line that is too long for a part.
   */
  *push(chunk: Uint8Array): Generator<CutLines> {
    this.#add(chunk);
    for (let end = this.#end(); end > 0; end = this.#end()) yield this.#cut(end);
  }

  end(): CutLines | undefined {
    const end = this.#buffer.subarray(0, this.#length).lastIndexOf(LF) + 1;
    return end === 0 ? undefined : this.#cut(end);
  }

  #add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    if (needed > MAX_PART_BYTES) throw lineTooLong(this.#off);
    if (needed > this.#buffer.length) {
      const least = Math.max(needed, Math.min(2 * this.#length, this.#limit));
      const larger = new Uint8Array(needed > this.#limit ? needed + this.#limit : least);
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = needed;
  }

  /** Returns the offset at which the next part ends, or 0 if more bytes are needed. */
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
  const limit = MAX_PART_BYTES;
  const message = `Cannot share session: the line at byte ${offset} of the session is ` +
    `longer than ${limit} bytes`;
  return new SessionError("too-large", message, { offset, limit });
}
