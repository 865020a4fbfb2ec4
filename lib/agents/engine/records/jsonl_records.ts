/**
 * Reads files with one JSON object per line. As in Reprise's own logs, torn tails, glued lines, NUL
 * runs and invalid UTF-8 cost at most their own line.
 */
import { linesFromEnd } from "../../../core/log/backward_reader.ts";
import type { BytePattern } from "../../../core/log/byte_pattern.ts";
import { type ByteRange, CHUNK_BYTES, openToRead } from "../../../core/log/byte_source.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import {
  type LineBlock,
  lineBlocks,
  lineBlocksInTurns,
  linesIn,
} from "../../../core/log/line_blocks.ts";
import type { Line } from "../../../core/log/line_splitter.ts";
import { present } from "../json.ts";
import type { SourceRecord } from "./source_record.ts";
import { type RecordOptions, takeBlock, takeLine } from "./taken_lines.ts";

export { type RecordOptions, takeLine } from "./taken_lines.ts";

/**
 * Yields the lines of a file, one batch per block. Their bytes are valid until the next batch.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readLines(
  path: string,
  options: RecordOptions & ByteRange = {},
): AsyncGenerator<readonly Line[]> {
  let { line = 1 } = options;
  for await (const block of recordBlocks(path, options)) {
    const lines = linesIn(block, line, options.max_line_bytes);
    line += lines.length;
    yield lines;
  }
}

function recordBlocks(
  path: string,
  { signal, max_line_bytes, from, to }: RecordOptions & ByteRange,
): AsyncGenerator<LineBlock> {
  return lineBlocksInTurns(path, signal, from, max_line_bytes, { to, block_bytes: CHUNK_BYTES });
}

/**
 * Yields the records of a file in order, one batch per block of bytes. Damaged, blank and skipped
 * lines are counted in `account`. The caller counts the records.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readRecords(
  path: string,
  options: RecordOptions & ByteRange = {},
): AsyncGenerator<SourceRecord[]> {
  let { line = 1 } = options;
  for await (const block of recordBlocks(path, options)) {
    const records: SourceRecord[] = [];
    line = takeBlock(block, line, records, options);
    if (records.length > 0) yield records;
  }
}

/**
 * Yields the records of a file from its end, in batches. The line numbers of these records are 0.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readRecordsFromEnd(
  path: string,
  options: RecordOptions & { to?: number; block_bytes?: number } = {},
): AsyncGenerator<SourceRecord[]> {
  const file = openToRead(path);
  try {
    const { to, max_line_bytes, block_bytes, signal } = options;
    for await (const lines of linesFromEnd(file, present({ to, max_line_bytes, block_bytes }))) {
      signal?.throwIfAborted();
      const records: SourceRecord[] = [];
      for (const line of lines) {
        const found: SourceRecord[] = [];
        takeLine(line, found, options);
        for (const one of found.reverse()) records.push(one);
      }
      if (records.length > 0) yield records;
    }
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw toSessionError(error, "read session", path);
  } finally {
    file.close();
  }
}

const LF = 0x0a;
const decoder = new TextDecoder();

/**
 * Yields the texts of lines that contain at least one of the patterns, in order, one batch per
 * block.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export function* markedLines(
  path: string,
  patterns: readonly BytePattern[],
): Generator<string[]> {
  for (const { finder, end } of lineBlocks(path)) {
    const { bytes } = finder;
    const texts: string[] = [];
    const places = patterns.map((pattern) => finder.find(pattern, 0, end));
    for (;;) {
      const at = places.reduce((least, at) => at < 0 ? least : Math.min(least, at), Infinity);
      if (at === Infinity) break;
      const feed = bytes.indexOf(LF, at);
      const line_end = feed < 0 || feed > end ? end : feed;
      texts.push(decoder.decode(bytes.subarray(bytes.lastIndexOf(LF, at) + 1, line_end)));
      for (const [index, pattern] of patterns.entries()) {
        const place = places[index] as number;
        if (place >= 0 && place < line_end) places[index] = finder.find(pattern, line_end, end);
      }
    }
    yield texts;
  }
}
