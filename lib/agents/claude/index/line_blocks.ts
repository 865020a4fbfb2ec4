/**
 * A file in blocks of whole lines, in memory that can be searched at once. Between the lines of a
 * block there is nothing to allocate: with a quarter of a million lines, an object for each costs more
 * than looking at it.
 */
import { type ByteFinder, makeByteFinder } from "../../../log/byte_finder.ts";
import { openToRead } from "../../../log/byte_source.ts";
import { toSessionError } from "../../../log/io_error.ts";
import { MAX_LINE_BYTES } from "../../../log/line_splitter.ts";

/** Whole lines, but for the last one of a file. */
export interface LineBlock {
  /** Holds the lines from byte 0 on. Valid until the next block is asked for. */
  finder: ByteFinder;
  /** Bytes of it that count. */
  end: number;
  /** Where it begins in the file. */
  offset: number;
  /** A line is over the limit: nothing more comes, and the file is to be read in another way. */
  oversized: boolean;
}

/** What fits into a processor's cache is read and searched fastest. */
const BLOCK_BYTES = 1024 * 1024;
/** After so many blocks others get their turn. */
const TURN_BLOCKS = 8;
const LF = 0x0a;

/** A finder takes its memory for good: those that nobody uses wait here. */
const idle: ByteFinder[] = [];

/**
 * The blocks of a file.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* lineBlocks(
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<LineBlock> {
  const file = openToRead(path);
  let finder = idle.pop() ?? makeByteFinder(BLOCK_BYTES);
  try {
    let held = 0;
    let offset = 0;
    for (let turn = 1;; turn++) {
      signal?.throwIfAborted();
      if (turn % TURN_BLOCKS === 0) await new Promise((resolve) => setTimeout(resolve));
      if (held === finder.bytes.length) finder = enlarged(finder);
      const { bytes } = finder;
      const count = file.readSync(bytes.subarray(held));
      if (count === null) break;
      const filled = held + count;
      const end = bytes.lastIndexOf(LF, filled - 1) + 1;
      if (end <= held) {
        held = filled;
        if (held > MAX_LINE_BYTES) return yield { finder, end: 0, offset, oversized: true };
        continue;
      }
      yield { finder, end, offset, oversized: false };
      bytes.copyWithin(0, end, filled);
      held = filled - end;
      offset += end;
    }
    if (held > 0) yield { finder, end: held, offset, oversized: false };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw toSessionError(error, "read session", path);
  } finally {
    file.close();
    if (finder.bytes.length === BLOCK_BYTES) idle.push(finder);
  }
}

function enlarged({ bytes }: ByteFinder): ByteFinder {
  const larger = makeByteFinder(2 * bytes.length);
  larger.bytes.set(bytes);
  return larger;
}
