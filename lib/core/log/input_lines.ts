/**
 * Cuts a program's input into lines, and tells of a line that is too long before it ends.
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

/** Options of {@linkcode inputLines}. */
interface InputLinesOptions {
  /** A longer line is refused. @default {67108864} */
  max_line_bytes?: number;
  /** Maximum bytes of a refused line; a longer one ends the reading. @default {1073741824} */
  max_refused_bytes?: number;
}

const MAX_REFUSED_BYTES = 16 * MAX_LINE_BYTES;

/**
 * Gives lines as they come. One over the limit comes as soon as it is, marked `oversized`; the rest
 * of it is passed over.
 *
 * @param input Bytes, cut anywhere. @param options Bounds of a line.
 * @returns Lines whose bytes are their own until the next chunk is read.
 * @throws {SessionError} From the iterator: `too-large` where that rest does not end.
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

/** Returns the unfinished line without its bytes. */
function startOf({ offset, line, carried }: SplitState): Line {
  const bytes = new Uint8Array(0);
  return { bytes, offset, length: carried, line, terminated: false, oversized: true };
}
