/**
 * Reads files of one JSON object a line, as tolerantly as Reprise logs. Torn tails, glued lines,
 * NUL runs and invalid UTF-8 cost at most their own line.
 */
import { linesFromEnd } from "../../../core/log/backward_reader.ts";
import type { BytePattern } from "../../../core/log/byte_pattern.ts";
import { byteChunks, type ByteRange, openToRead, recycle } from "../../../core/log/byte_source.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { lineBlocks } from "../../../core/log/line_blocks.ts";
import { type Line, splitRest, startSplit } from "../../../core/log/line_splitter.ts";
import { cutBatch } from "../../../core/log/line_stream.ts";
import { nextTurn, TURN_BYTES } from "../../../core/log/next_turn.ts";
import { countSide } from "../../contract/source_account.ts";
import { present } from "../json.ts";
import { parseRecords, type RecordSink, type SourceRecord } from "./source_record.ts";

export interface RecordOptions extends RecordSink {
  /**
   * Returns the type of a side record from its line's first bytes; such a line is counted and not
   * parsed. Returns undefined for a line that must be parsed.
   */
  skip?: ((line: Uint8Array) => string | undefined) | undefined;
  /** Maximum bytes of a line; longer lines are reported and skipped. @default {67108864} */
  max_line_bytes?: number | undefined;
  /** The line number of the first line read. @default {1} */
  line?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Appends the records of a line. If `skip` returns a type for it, the line is only counted. */
export function takeLine(line: Line, records: SourceRecord[], options: RecordOptions): void {
  const torn = line.oversized || !line.terminated;
  const type = torn ? undefined : options.skip?.(line.bytes);
  if (type !== undefined) countSide(options.account, type, line.length);
  else parseRecords(line, records, options);
}

/**
 * Yields the lines of a file, a batch per chunk. Their bytes are valid until the next batch.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readLines(
  path: string,
  options: RecordOptions & ByteRange = {},
): AsyncGenerator<readonly Line[]> {
  const { signal, max_line_bytes, from = 0, line = 1 } = options;
  const state = startSplit(max_line_bytes, from, line);
  let unbroken = 0;
  signal?.throwIfAborted();
  // A pair of streams would cost more than all else of a short file.
  for (const chunk of byteChunks(path, options)) {
    unbroken += chunk.length;
    const { lines, release } = cutBatch(state, chunk, recycle);
    if (lines.length > 0) yield lines;
    release();
    if (unbroken >= TURN_BYTES) {
      unbroken = 0;
      await nextTurn();
    }
    signal?.throwIfAborted();
  }
  const rest = splitRest(state);
  if (rest !== undefined) yield [rest];
}

/**
 * Yields the records of a file in order, a batch per chunk of bytes. Damaged, blank and skipped
 * lines are counted in `account`; the caller counts the records.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readRecords(
  path: string,
  options: RecordOptions & ByteRange = {},
): AsyncGenerator<SourceRecord[]> {
  for await (const lines of readLines(path, options)) {
    const records: SourceRecord[] = [];
    for (const line of lines) takeLine(line, records, options);
    if (records.length > 0) yield records;
  }
}

/**
 * Yields the records of a file from its end, in batches. Their line numbers are 0.
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
 * Yields the texts of lines that hold one of some patterns, in their order, a batch a block of bytes.
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
