/**
 * Splits a program's input into lines. Reports a line that is too long before the line ends.
 *
 * @module
 */
import { SessionError } from "../event/session_error.ts";
import {
  type Line,
  MAX_LINE_BYTES,
  splitChunk,
  splitRest,
  type SplitState,
  startSplit,
} from "./line_splitter.ts";

interface InputLinesOptions {
  /**
   * Maximum bytes of a line. A longer line is marked `oversized`, without bytes.
   * @default {67108864}
   */
  max_line_bytes?: number;
  /** Maximum bytes of a refused line. A longer line ends the reading. @default {1073741824} */
  max_refused_bytes?: number;
}

const MAX_REFUSED_BYTES = 16 * MAX_LINE_BYTES;

/**
 * Yields lines as they arrive. A line over the limit is yielded at once, marked `oversized`, and
 * its remaining bytes are skipped.
 *
 * @param input Bytes in chunks of any size. @param options Maximum sizes of a line.
 * @returns Lines whose bytes are valid until the next chunk is read.
 * @throws {SessionError} From the iterator: `too-large` if a line exceeds `max_refused_bytes`.
 */
export async function* inputLines(
  input: ReadableStream<Uint8Array<ArrayBuffer>>,
  { max_line_bytes = MAX_LINE_BYTES, max_refused_bytes = MAX_REFUSED_BYTES }: InputLinesOptions =
    {},
): AsyncGenerator<Line> {
  const state = startSplit(max_line_bytes);
  let refused = 0;
  for await (const chunk of input) {
    for (const line of splitChunk(state, chunk)) if (line.line !== refused) yield line;
    if (state.carried > max_line_bytes && state.line !== refused) {
      refused = state.line;
      yield startOf(state);
    }
    if (state.carried > max_refused_bytes) {
      const message =
        `Cannot read input: line ${state.line} has more than ${max_refused_bytes} bytes`;
      throw new SessionError("too-large", message, { limit: max_refused_bytes });
    }
  }
  const rest = splitRest(state);
  if (rest !== undefined && rest.line !== refused) yield rest;
}

function startOf({ offset, line, carried }: SplitState): Line {
  const bytes = new Uint8Array(0);
  return { bytes, offset, length: carried, line, terminated: false, oversized: true };
}
