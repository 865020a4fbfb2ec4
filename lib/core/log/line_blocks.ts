/**
 * Reads a file in blocks of whole lines that can be searched at once. Readers of a few lines
 * allocate nothing for the other lines. An object for each line would cost more than searching its
 * bytes.
 */
import { SeekMode } from "../platform/file_system.ts";
import {
  type ByteFinder,
  giveBackByteFinder,
  makeByteFinder,
  takeByteFinder,
} from "./byte_finder.ts";
import { openToRead } from "./byte_source.ts";
import { toSessionError } from "./io_error.ts";
import { type Line, MAX_LINE_BYTES, trimLine } from "./line_splitter.ts";
import { nextTurn, TURN_BYTES } from "./next_turn.ts";

/** Whole lines, valid until the next block is requested. */
export interface LineBlock {
  /** The byte finder whose memory holds the lines, from index 0. */
  finder: ByteFinder;
  /** Index after the last line in `finder.bytes`. A file's last line may lack its line feed. */
  end: number;
  /** Indexes of line feeds in `finder.bytes`, valid until the next call of `finder.places`. */
  feeds: Int32Array;
  /** False if the lines have no NUL. True if they may have one. */
  has_nul: boolean;
  /** Offset of the block's first byte in the file. */
  offset: number;
  /** True for an empty block in place of a line that exceeds the limit. */
  oversized: boolean;
  /** Number of bytes of the file that the block stands for, an omitted line included. */
  length: number;
  /** True if the block's last line, or the omitted line, ends with a line feed. */
  terminated: boolean;
}

export interface BlockOptions {
  /** Offset after the last byte. @default {the end of the file} */
  to?: number | undefined;
  /** Number of bytes read at once. A block ends with the last whole line. @default {1 MiB} */
  block_bytes?: number;
  /** The action in error messages, as in "Cannot read session". @default {"read session"} */
  action?: string;
}

/** Bytes of a block. A block that fits the processor's cache is read and searched fastest. */
const BLOCK_BYTES = 1024 * 1024;
const LF = 0x0a;

/**
 * Reads a file in blocks of whole lines.
 *
 * @param from Offset at which a line begins.
 * @param most_bytes Maximum bytes of a line. A longer line is yielded as an empty block.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function* lineBlocks(
  path: string,
  from = 0,
  most_bytes = MAX_LINE_BYTES,
  { to = Infinity, block_bytes = BLOCK_BYTES, action = "read session" }: BlockOptions = {},
): Generator<LineBlock> {
  using file = openToRead(path);
  // The start of a line has room before the block in which the line ends.
  const size = 2 * block_bytes;
  let finder = takeByteFinder(size);
  try {
    if (from > 0) file.seekSync(from, SeekMode.Start);
    // Bytes of an unfinished line that are held, or that were skipped because the line is too long.
    let [held, passed, offset] = [0, 0, from];
    let has_nul = false;
    for (;;) {
      if (held > most_bytes) [passed, held] = [held, 0];
      if (held + block_bytes > finder.bytes.length) {
        finder = enlarged(finder, held, most_bytes + block_bytes);
      }
      const { bytes } = finder;
      const most = Math.min(held + block_bytes, to - offset - passed);
      const count = most <= held ? null : file.readSync(bytes.subarray(held, most));
      if (count === null) break;
      let filled = held + count;
      if (passed + filled > most_bytes) {
        const feed = bytes.subarray(held, filled).indexOf(LF);
        const line = passed + held + feed;
        if (feed < 0 && passed > 0) {
          passed += filled;
          continue;
        }
        if (feed >= 0 && line > most_bytes) {
          const skipped = { offset, has_nul, oversized: true, length: line + 1, terminated: true };
          yield { finder, end: 0, feeds: NO_FEEDS, ...skipped };
          bytes.copyWithin(0, held + feed + 1, filled);
          filled -= held + feed + 1;
          offset += line + 1;
          held = passed = 0;
        }
      }
      const feeds = finder.places(LF, held, filled);
      const { saw_nul } = finder;
      has_nul ||= saw_nul;
      const end = (feeds[feeds.length - 1] ?? -1) + 1;
      if (end === 0) {
        held = filled;
        continue;
      }
      yield {
        finder,
        end,
        feeds,
        offset,
        has_nul,
        oversized: false,
        length: end,
        terminated: true,
      };
      // The held bytes were read together with the block.
      has_nul = saw_nul;
      bytes.copyWithin(0, end, filled);
      held = filled - end;
      offset += end;
    }
    const length = passed + held;
    const rest = { end: held, offset, has_nul, oversized: passed > 0, length, terminated: false };
    if (length > 0) yield { finder, feeds: NO_FEEDS, ...rest };
  } catch (error) {
    throw toSessionError(error, action, path);
  } finally {
    if (finder.bytes.length === size) giveBackByteFinder(finder);
  }
}

/**
 * Reads a file like {@linkcode lineBlocks}, and lets other tasks run in between.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* lineBlocksInTurns(
  path: string,
  signal?: AbortSignal,
  from = 0,
  most_bytes?: number,
  options?: BlockOptions,
): AsyncGenerator<LineBlock> {
  let read = 0;
  signal?.throwIfAborted();
  for (const block of lineBlocks(path, from, most_bytes, options)) {
    yield block;
    read += block.length;
    if (read >= TURN_BYTES) {
      read = 0;
      await nextTurn();
    }
    signal?.throwIfAborted();
  }
}

function enlarged({ bytes }: ByteFinder, held: number, most: number): ByteFinder {
  const larger = makeByteFinder(Math.min(2 * bytes.length, most));
  larger.bytes.set(bytes.subarray(0, held));
  return larger;
}

/** Returns the line that begins at `start`. `feed` is its line feed's index, or the block's end. */
export function lineIn(
  { finder: { bytes }, end, offset }: LineBlock,
  start: number,
  feed: number,
  line: number,
  most_bytes: number = MAX_LINE_BYTES,
): Line {
  const terminated = feed < end;
  const oversized = feed - start > most_bytes;
  return {
    bytes: oversized ? NO_BYTES : trimLine(bytes.subarray(start, feed)),
    offset: offset + start,
    length: feed - start + Number(terminated),
    line,
    terminated,
    oversized,
  };
}

const NO_BYTES = new Uint8Array(0);
const NO_FEEDS = new Int32Array(0);

/** Returns a block's lines. `line` is the number of the first one. */
export function linesIn(block: LineBlock, line: number, most_bytes?: number): Line[] {
  const { end, feeds, offset, length, terminated, oversized } = block;
  if (oversized) return [{ bytes: NO_BYTES, offset, length, line, terminated, oversized }];
  const lines: Line[] = [];
  let start = 0;
  for (const feed of feeds) {
    lines.push(lineIn(block, start, feed, line + lines.length, most_bytes));
    start = feed + 1;
  }
  if (start < end) lines.push(lineIn(block, start, end, line + lines.length, most_bytes));
  return lines;
}
