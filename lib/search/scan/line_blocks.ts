/**
 * A log in blocks of whole lines, to be looked at before they are cut.
 */
import { type ByteFinder, makeByteFinder } from "../../log/byte_finder.ts";
import { toSessionError } from "../../log/io_error.ts";
import { MAX_LINE_BYTES } from "../../log/line_splitter.ts";
import { openRegularFile } from "../regular_file.ts";

/** Whole lines, one after the other; the last one of a file may have no newline. */
export interface LineBlock {
  /** Has the bytes, until the next block is asked for. */
  finder: ByteFinder;
  /** Where the lines begin and end in it. */
  start: number;
  end: number;
  /** Of the finder's first byte in the file. */
  offset: number;
}

/** As much as the processor keeps at hand. */
const BLOCK_BYTES = 256 * 1024;
const LF = 0x0a;

/** The finder of a file that was read to its end. */
let spare: ByteFinder | undefined;

/**
 * The blocks of a file. Lines over the limit are left out.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function* lineBlocks(path: string, from = 0): Generator<LineBlock> {
  using file = openRegularFile(path);
  // One for each of thousands of logs would wait for the garbage collector.
  let finder = spare ?? makeByteFinder(BLOCK_BYTES);
  spare = undefined;
  let [filled, offset, passing] = [0, from, false];
  try {
    if (from > 0) file.seekSync(from, Deno.SeekMode.Start);
    for (;;) {
      if (filled === finder.bytes.length && filled > MAX_LINE_BYTES) {
        [offset, filled, passing] = [offset + filled, 0, true];
      } else if (filled === finder.bytes.length) {
        finder = largerFinder(finder);
      }
      const count = file.readSync(finder.bytes.subarray(filled));
      if (count === null) break;
      filled += count;
      const bytes = finder.bytes.subarray(0, filled);
      const start = passing ? bytes.indexOf(LF) + 1 : 0;
      if (passing && start === 0) {
        [offset, filled] = [offset + filled, 0];
        continue;
      }
      passing = false;
      const end = bytes.lastIndexOf(LF) + 1;
      if (end > start) yield { finder, start, end, offset };
      finder.bytes.copyWithin(0, Math.max(start, end), filled);
      offset += Math.max(start, end);
      filled -= Math.max(start, end);
    }
  } catch (error) {
    throw toSessionError(error, "search log", path);
  }
  if (filled > 0 && !passing) yield { finder, start: 0, end: filled, offset };
  if (finder.bytes.length === BLOCK_BYTES) spare = finder;
}

/** A finder with twice the room, and the same bytes. */
function largerFinder({ bytes }: ByteFinder): ByteFinder {
  const larger = makeByteFinder(2 * bytes.length);
  larger.bytes.set(bytes);
  return larger;
}
