/**
 * A file as blocks of whole lines in a byte finder's memory: for readers that look for a few lines
 * among many, and do not touch the rest.
 */
import { type ByteFinder, makeByteFinder } from "./byte_finder.ts";
import { toSessionError } from "./io_error.ts";
import { MAX_LINE_BYTES } from "./line_splitter.ts";

/** Whole lines, valid until the next block is asked for. */
export interface LineBlock {
  /** Holds the lines from byte 0 on. */
  finder: ByteFinder;
  /** Index behind the last of them. The last line of a file may lack its line feed. */
  end: number;
}

const LF = 0x0a;
/** What fits into a processor's cache is read and searched fastest. */
const BLOCK_BYTES = 1024 * 1024;

/** A finder takes its memory for good: those that nobody uses wait here. */
const idle: ByteFinder[] = [];

/**
 * Reads a file in blocks of whole lines. A line that is longer than a log's may be is left out.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`
 */
export function* lineBlocks(path: string): Generator<LineBlock> {
  let finder = idle.pop() ?? makeByteFinder(BLOCK_BYTES);
  let file: Deno.FsFile | undefined;
  try {
    file = Deno.openSync(path);
    let held = 0;
    let passing = false;
    for (;;) {
      if (held === finder.bytes.length) {
        if (held < MAX_LINE_BYTES) finder = enlarged(finder, held);
        else [held, passing] = [0, true];
      }
      const count = file.readSync(finder.bytes.subarray(held));
      if (count === null) break;
      const filled = held + count;
      const end = finder.bytes.lastIndexOf(LF, filled - 1) + 1;
      if (end <= held) {
        held = filled;
        continue;
      }
      const start = passing ? finder.bytes.indexOf(LF) + 1 : 0;
      passing = false;
      if (start > 0) finder.bytes.fill(LF, 0, start);
      yield { finder, end };
      finder.bytes.copyWithin(0, end, filled);
      held = filled - end;
    }
    if (held > 0 && !passing) yield { finder, end: held };
  } catch (error) {
    throw toSessionError(error, "read session", path);
  } finally {
    file?.close();
    if (finder.bytes.length === BLOCK_BYTES) idle.push(finder);
  }
}

function enlarged({ bytes }: ByteFinder, held: number): ByteFinder {
  const larger = makeByteFinder(2 * bytes.length);
  larger.bytes.set(bytes.subarray(0, held));
  return larger;
}
