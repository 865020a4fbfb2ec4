/**
 * A log in blocks of whole lines, to be looked at before they are cut.
 */
import { toSessionError } from "../../log/io_error.ts";
import { MAX_LINE_BYTES } from "../../log/line_splitter.ts";
import { openRegularFile } from "../regular_file.ts";

/** Whole lines, one after the other; the last one of a file may have no newline. */
export interface LineBlock {
  /** Valid until the next block is asked for. */
  bytes: Uint8Array;
  /** Of the first byte in the file. */
  offset: number;
}

const BLOCK_BYTES = 1024 * 1024;
const LF = 0x0a;

/** The buffer of a file that was read to its end. */
let spare: Uint8Array<ArrayBuffer> | undefined;

/**
 * The blocks of a file. Lines over the limit are left out.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function* lineBlocks(path: string, from = 0): Generator<LineBlock> {
  using file = openRegularFile(path);
  // A buffer for each of thousands of logs would wait for the garbage collector.
  let buffer = spare ?? new Uint8Array(BLOCK_BYTES);
  spare = undefined;
  let [filled, offset, passing] = [0, from, false];
  try {
    if (from > 0) file.seekSync(from, Deno.SeekMode.Start);
    for (;;) {
      if (filled === buffer.length && filled > MAX_LINE_BYTES) {
        [offset, filled, passing] = [offset + filled, 0, true];
      } else if (filled === buffer.length) {
        const larger = new Uint8Array(2 * buffer.length);
        larger.set(buffer);
        buffer = larger;
      }
      const count = file.readSync(buffer.subarray(filled));
      if (count === null) break;
      filled += count;
      const bytes = buffer.subarray(0, filled);
      const start = passing ? bytes.indexOf(LF) + 1 : 0;
      if (passing && start === 0) {
        [offset, filled] = [offset + filled, 0];
        continue;
      }
      passing = false;
      const end = bytes.lastIndexOf(LF) + 1;
      if (end > start) yield { bytes: bytes.subarray(start, end), offset: offset + start };
      buffer.copyWithin(0, Math.max(start, end), filled);
      offset += Math.max(start, end);
      filled -= Math.max(start, end);
    }
  } catch (error) {
    throw toSessionError(error, "search log", path);
  }
  if (filled > 0 && !passing) yield { bytes: buffer.subarray(0, filled), offset };
  if (buffer.length === BLOCK_BYTES) spare = buffer;
}
