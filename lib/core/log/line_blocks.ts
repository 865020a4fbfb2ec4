/**
 * Reads a file in blocks of whole lines that can be searched at once. Readers of a few lines
 * allocate nothing for the rest. An object a line would cost more than a look at it.
 */
import { SeekMode } from "../platform/file_system.ts";
import { type ByteFinder, makeByteFinder } from "./byte_finder.ts";
import { openToRead } from "./byte_source.ts";
import { toSessionError } from "./io_error.ts";
import { MAX_LINE_BYTES } from "./line_splitter.ts";
import { nextTurn, TURN_BYTES } from "./next_turn.ts";

/** Whole lines, valid until the next block is asked for. */
export interface LineBlock {
  /** Holds the lines from byte 0 on. */
  finder: ByteFinder;
  /** Index behind the last line. The last line of a file may lack its line feed. */
  end: number;
  /** Offset of the block's first byte in the file. */
  offset: number;
  /** True for an empty block in place of a line that exceeds the limit. */
  oversized: boolean;
}

/** Size of a block: one that fits the processor's cache is read and searched fastest. */
const BLOCK_BYTES = 1024 * 1024;
const LF = 0x0a;

/** Unused finders, for the next reader: a finder never frees its memory. */
const idle: ByteFinder[] = [];

/**
 * Reads a file in blocks of whole lines, from an offset on where a line begins.
 *
 * @param most_bytes Longest line that is not left out.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function* lineBlocks(
  path: string,
  from = 0,
  most_bytes = MAX_LINE_BYTES,
): Generator<LineBlock> {
  using file = openToRead(path);
  let finder = idle.pop() ?? makeByteFinder(BLOCK_BYTES);
  try {
    if (from > 0) file.seekSync(from, SeekMode.Start);
    let [held, offset, passing] = [0, from, false];
    for (;;) {
      if (held > most_bytes) {
        if (!passing) yield { finder, end: 0, offset, oversized: true };
        [offset, held, passing] = [offset + held, 0, true];
      } else if (held === finder.bytes.length) {
        finder = enlarged(finder, most_bytes);
      }
      const { bytes } = finder;
      // What is passed over is read in blocks that fit the processor's cache, too.
      const count = file.readSync(passing ? bytes.subarray(0, BLOCK_BYTES) : bytes.subarray(held));
      if (count === null) break;
      const filled = held + count;
      const end = bytes.lastIndexOf(LF, filled - 1) + 1;
      if (end <= held) {
        held = passing ? 0 : filled;
        if (passing) offset += filled;
        continue;
      }
      // The end of a line that is passed over counts as blank lines.
      if (passing) bytes.fill(LF, 0, bytes.indexOf(LF));
      passing = false;
      yield { finder, end, offset, oversized: false };
      bytes.copyWithin(0, end, filled);
      held = filled - end;
      offset += end;
    }
    if (held > 0 && !passing) yield { finder, end: held, offset, oversized: false };
  } catch (error) {
    throw toSessionError(error, "read session", path);
  } finally {
    if (finder.bytes.length === BLOCK_BYTES) idle.push(finder);
  }
}

/**
 * Reads a file like {@linkcode lineBlocks}, and lets others run now and then.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* lineBlocksInTurns(
  path: string,
  signal?: AbortSignal,
  from = 0,
): AsyncGenerator<LineBlock> {
  let read = 0;
  for (const block of lineBlocks(path, from)) {
    signal?.throwIfAborted();
    read += block.end;
    if (read >= TURN_BYTES) {
      read = 0;
      await nextTurn();
    }
    yield block;
  }
}

/**
 * Makes a finder with more room and the same bytes. It has room for one byte more than the longest
 * line.
 */
function enlarged({ bytes }: ByteFinder, most_bytes: number): ByteFinder {
  const larger = makeByteFinder(Math.min(2 * bytes.length, most_bytes + 1));
  larger.bytes.set(bytes);
  return larger;
}
