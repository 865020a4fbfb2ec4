/**
 * Finds the lines that contain given bytes, from the end of the file. Rare lines in gigabytes are
 * found at reading speed.
 */
import type { OpenFile } from "../platform/file_system.ts";
import { type ByteFinder, giveBackByteFinder, takeByteFinder } from "./byte_finder.ts";
import { type BytePattern, textPattern } from "./byte_pattern.ts";
import { type Line, MAX_LINE_BYTES, trimLine } from "./line_splitter.ts";
import { nextTurn, TURN_BYTES } from "./next_turn.ts";
import { readAt } from "./read_whole.ts";

export interface LinesHoldingOptions {
  /** First byte to search. A yielded line may begin before this byte. @default {0} */
  from?: number;
  /** Offset after the last byte to read. */
  to: number;
  block_bytes?: number;
}

const LF = 0x0a;
const LINE_FEED = textPattern("\n");
const BLOCK_BYTES = 512 * 1024;
/** Bytes of the first block, at the file's end. It is small, as matches are often there. */
const FIRST_BLOCK_BYTES = 64 * 1024;

/**
 * Yields the lines that have any of the patterns, last line first. Line numbers are 0, because
 * reading begins at the end. Lines over the limit are skipped.
 */
export async function* linesHolding(
  file: OpenFile,
  patterns: readonly BytePattern[],
  { from = 0, to, block_bytes = BLOCK_BYTES }: LinesHoldingOptions,
): AsyncGenerator<Line> {
  // Of a pattern that begins in a block, the rest may stand in the one behind it.
  const overlap = Math.max(...patterns.map(({ values }) => values.length)) - 1;
  const finder = takeByteFinder(block_bytes + overlap);
  try {
    yield* linesIn(finder, file, patterns, { from, to, block_bytes, overlap });
  } finally {
    giveBackByteFinder(finder);
  }
}

async function* linesIn(
  finder: ByteFinder,
  file: OpenFile,
  patterns: readonly BytePattern[],
  { from, to, block_bytes, overlap }: Required<LinesHoldingOptions> & { overlap: number },
): AsyncGenerator<Line> {
  const { bytes } = finder;
  // Where the last line begins that was looked at: all behind it is done.
  let done = to;
  let turn = to;
  let step = Math.min(FIRST_BLOCK_BYTES, block_bytes);
  for (let end = to, start = from; end > from; end = start, step = block_bytes) {
    start = Math.max(from, end - step);
    const length = end - start;
    // What was read last begins where this block ends.
    bytes.copyWithin(length, 0, overlap);
    readAt(file, start, bytes.subarray(0, length));
    const filled = Math.min(length + overlap, to - start);
    const places = patterns.flatMap((pattern) => placesIn(finder, pattern, filled));
    for (const place of places.sort((a, b) => b - a)) {
      if (start + place >= done) continue;
      const line = lineAround(file, start + place, to);
      done = line.offset;
      if (!line.oversized) yield line;
    }
    // Bytes are searched so much faster than they are parsed.
    if (turn - start >= 8 * TURN_BYTES) {
      turn = start;
      await nextTurn();
    }
  }
}

/** Returns the index of the first match in each line of the block. */
function placesIn(finder: ByteFinder, pattern: BytePattern, end: number): number[] {
  const places: number[] = [];
  let at = finder.find(pattern, 0, end);
  while (at >= 0) {
    places.push(at);
    const line_end = finder.find(LINE_FEED, at, end);
    at = line_end < 0 ? -1 : finder.find(pattern, line_end, end);
  }
  return places;
}

const STEP_BYTES = 8 * 1024;

function lineAround(file: OpenFile, offset: number, to: number): Line {
  const start = lineStart(file, offset);
  const end = lineEnd(file, offset, to);
  const terminated = end < to;
  const length = end - start + Number(terminated);
  const oversized = end - start > MAX_LINE_BYTES;
  const bytes = oversized
    ? new Uint8Array(0)
    : trimLine(readAt(file, start, new Uint8Array(end - start)));
  return { bytes, offset: start, length, line: 0, terminated, oversized };
}

function lineStart(file: OpenFile, offset: number): number {
  const step = new Uint8Array(STEP_BYTES);
  for (let end = offset; end > 0; end -= STEP_BYTES) {
    const start = Math.max(0, end - STEP_BYTES);
    const at = readAt(file, start, step.subarray(0, end - start)).lastIndexOf(LF);
    if (at >= 0) return start + at + 1;
  }
  return 0;
}

function lineEnd(file: OpenFile, offset: number, to: number): number {
  const step = new Uint8Array(STEP_BYTES);
  for (let start = offset; start < to; start += STEP_BYTES) {
    const at = readAt(file, start, step.subarray(0, Math.min(STEP_BYTES, to - start))).indexOf(LF);
    if (at >= 0) return start + at;
  }
  return to;
}
