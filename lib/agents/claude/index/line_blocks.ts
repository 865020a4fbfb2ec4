/**
 * A file in blocks of whole lines. Between the lines of a block there is nothing to allocate: with a
 * quarter of a million lines, an object for each costs more than looking at it.
 */
import { openToRead } from "../../../log/byte_source.ts";
import { toSessionError } from "../../../log/io_error.ts";
import { MAX_LINE_BYTES } from "../../../log/line_splitter.ts";

/** Bytes that are read at once. */
const READ_BYTES = 512 * 1024;
/** After so many blocks others get their turn. */
const TURN_BLOCKS = 16;

/** Whole lines, but for the last one of a file. */
export interface LineBlock {
  /** Valid until the next block is asked for. */
  bytes: Uint8Array;
  /** Bytes of it that count. */
  end: number;
  /** Where it begins in the file. */
  offset: number;
  /** A line is over the limit: nothing more comes, and the file is to be read in another way. */
  oversized: boolean;
}

const LF = 0x0a;

const NOTHING = { end: 0, offset: 0 };

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
  try {
    let bytes = new Uint8Array(2 * READ_BYTES);
    let held = 0;
    let offset = 0;
    for (let turn = 1;; turn++) {
      signal?.throwIfAborted();
      if (turn % TURN_BLOCKS === 0) await new Promise((resolve) => setTimeout(resolve));
      if (bytes.length - held < READ_BYTES) bytes = larger(bytes, held);
      const count = file.readSync(bytes.subarray(held, held + READ_BYTES));
      if (count === null) break;
      const end = held + count;
      const feed = bytes.subarray(held, end).lastIndexOf(LF);
      const whole = held + feed + 1;
      if (feed < 0) {
        held = end;
        if (held > MAX_LINE_BYTES) return yield { ...NOTHING, bytes, oversized: true };
        continue;
      }
      yield { bytes, end: whole, offset, oversized: false };
      bytes.copyWithin(0, whole, end);
      held = end - whole;
      offset += whole;
    }
    if (held > 0) yield { bytes, end: held, offset, oversized: false };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw toSessionError(error, "read session", path);
  } finally {
    file.close();
  }
}

function larger(bytes: Uint8Array, held: number): Uint8Array<ArrayBuffer> {
  const room = new Uint8Array(2 * bytes.length);
  room.set(bytes.subarray(0, held));
  return room;
}
