/**
 * Reads the lines of a file from its end, a block at a time. A resume and a summary need only the
 * last part of a file.
 */
import { joinBytes } from "../event/bytes.ts";
import type { OpenFile } from "../platform/file_system.ts";
import { makeByteFinder } from "./byte_finder.ts";
import { textPattern } from "./byte_pattern.ts";
import { type Line, MAX_LINE_BYTES, trimLine } from "./line_splitter.ts";
import { nextTurn, TURN_BYTES } from "./next_turn.ts";
import { readAt } from "./read_whole.ts";

export interface BackwardOptions {
  /** Byte offset after the last byte to read. @default {the size of the file} */
  to?: number;
  block_bytes?: number;
  /** Maximum bytes of a line. Longer lines are yielded without bytes. @default {67108864} */
  max_line_bytes?: number;
}

const LF = 0x0a;

/** A line whose start has not been read yet. */
interface OpenLine {
  /** The bytes read so far, in file order. Empty once the line exceeds the limit. */
  pieces: Uint8Array[];
  length: number;
  terminated: boolean;
}

function prepend(line: OpenLine, piece: Uint8Array, limit: number): void {
  line.length += piece.length;
  if (line.length > limit) line.pieces = [];
  else if (piece.length > 0) line.pieces.unshift(piece);
}

function finished(open: OpenLine, offset: number, limit: number): Line[] {
  const length = open.length + Number(open.terminated);
  // After the last LF of a file there is no line.
  if (length === 0) return [];
  const oversized = open.length > limit;
  const bytes = oversized ? new Uint8Array(0) : trimLine(joinBytes(open.pieces));
  return [{ bytes, offset, length, line: 0, terminated: open.terminated, oversized }];
}

/** Yields batches of lines, last line first. Line numbers are 0: reading begins at the end. */
export async function* linesFromEnd(
  file: OpenFile,
  options: BackwardOptions = {},
): AsyncGenerator<Line[]> {
  const { block_bytes = 256 * 1024, max_line_bytes: limit = MAX_LINE_BYTES } = options;
  let end = options.to ?? file.statSync().size;
  let turn = end;
  let open: OpenLine = { pieces: [], length: 0, terminated: false };
  while (end > 0) {
    const start = Math.max(0, end - block_bytes);
    const block = readAt(file, start, new Uint8Array(end - start));
    const lines: Line[] = [];
    let right = block.length;
    let newline = block.lastIndexOf(LF);
    while (newline >= 0) {
      prepend(open, block.subarray(newline + 1, right), limit);
      for (const one of finished(open, start + newline + 1, limit)) lines.push(one);
      open = { pieces: [], length: 0, terminated: true };
      right = newline;
      newline = right === 0 ? -1 : block.lastIndexOf(LF, right - 1);
    }
    prepend(open, block.subarray(0, right), limit);
    if (lines.length > 0) yield lines;
    end = start;
    if (open.length > limit) {
      // Only the start of the line matters now. In a sparse file, it can be many gigabytes away.
      const from = await lineStart(file, end);
      open.length += end - from;
      end = turn = from;
    }
    if (turn - end >= TURN_BYTES) {
      turn = end;
      await nextTurn();
    }
  }
  yield finished(open, 0, limit);
}

const LINE_FEED = textPattern("\n");
const SKIP_BYTES = 1024 * 1024;

async function lineStart(file: OpenFile, before: number): Promise<number> {
  const finder = makeByteFinder(SKIP_BYTES);
  for (let end = before, blocks = 1; end > 0; end -= SKIP_BYTES, blocks++) {
    const start = Math.max(0, end - SKIP_BYTES);
    const length = end - start;
    readAt(file, start, finder.bytes.subarray(0, length));
    if (finder.find(LINE_FEED, 0, length) >= 0) {
      return start + finder.bytes.subarray(0, length).lastIndexOf(LF) + 1;
    }
    if (blocks % SKIPPED_A_TURN === 0) await nextTurn();
  }
  return 0;
}

const SKIPPED_A_TURN = 64;
