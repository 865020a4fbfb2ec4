/**
 * Reads the records of a single line, or of a block of lines. Unneeded lines are recognized by
 * their first bytes, and are not parsed. Adjacent lines that look intact are decoded together.
 * Every other line is parsed by itself, which finds damage, blank lines and byte order marks.
 */
import { isDeeperThan, MAX_DEPTH } from "../../../core/event/decode.ts";
import { isObject } from "../../../core/event/guard.ts";
import { type ByteFinder, findPattern } from "../../../core/log/byte_finder.ts";
import { bytePattern, textPattern } from "../../../core/log/byte_pattern.ts";
import { type LineBlock, lineIn, linesIn } from "../../../core/log/line_blocks.ts";
import { type Line, MAX_LINE_BYTES } from "../../../core/log/line_splitter.ts";
import { countSide } from "../../contract/source_account.ts";
import { keepExactMembers } from "./exact_members.ts";
import { parseRecords, type RecordSink, type SourceRecord } from "./source_record.ts";

/**
 * Returns the type of an unneeded record, from the line's first bytes. The line is counted, but not
 * parsed. Returns undefined for a line that must be parsed.
 */
export type LineSkip = (block: SkippedBlock, start: number, end: number) => string | undefined;

export function skipWithout(text: string): LineSkip {
  const pattern = textPattern(text);
  return ({ finder }, start, end) => finder.find(pattern, start, end) < 0 ? "" : undefined;
}

/** A block of lines, or a single line, that may be skipped without parsing. */
export interface SkippedBlock {
  readonly finder: { readonly bytes: Uint8Array; readonly find: ByteFinder["find"] };
  /** A view of `finder.bytes`, to compare several bytes at a time. */
  readonly view: DataView;
  readonly has_nul: boolean;
}

export interface RecordOptions extends RecordSink {
  /** Finds the lines that are counted but not parsed. @default {no lines} */
  skip?: LineSkip | undefined;
  /** Maximum bytes of a line. Longer lines are reported and skipped. @default {67108864} */
  max_line_bytes?: number | undefined;
  /** The line number of the first line read. @default {1} */
  line?: number | undefined;
  signal?: AbortSignal | undefined;
}

export function takeLine(line: Line, records: SourceRecord[], options: RecordOptions): void {
  const torn = line.oversized || !line.terminated;
  const type = torn ? undefined : options.skip?.(blockOf(line.bytes), 0, line.bytes.length);
  if (type !== undefined) countSide(options.account, type, line.length);
  else parseRecords(line, records, options);
}

export function blockOf(bytes: Uint8Array): SkippedBlock {
  const find: ByteFinder["find"] = (pattern, start, end) => findPattern(bytes, pattern, start, end);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { finder: { bytes, find }, view, has_nul: bytes.includes(0) };
}

const NOT_ASCII = bytePattern([[0x80, 0xff]]);
const decoder = new TextDecoder();
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];

/** Appends the records of a block. Returns the number of the line after the block. */
export function takeBlock(
  block: LineBlock,
  first: number,
  records: SourceRecord[],
  options: RecordOptions,
): number {
  const { finder, end, feeds, has_nul } = block;
  const { skip, account, max_line_bytes = MAX_LINE_BYTES } = options;
  if (block.oversized) {
    for (const line of linesIn(block, first)) takeLine(line, records, options);
    return first + 1;
  }
  const { bytes } = finder;
  const view = new DataView(bytes.buffer);
  const searched = { finder, view, has_nul };
  let [start, run] = [0, 0];
  for (let at = 0; at < feeds.length; at++) {
    const feed = feeds[at] as number;
    const plain = bytes[start] === OPENING_BRACE && bytes[feed - 1] === CLOSING_BRACE &&
      feed - start <= max_line_bytes;
    const type = plain ? skip?.(searched, start, feed) : undefined;
    // One character that is not ASCII makes the whole text that is decoded with it larger in
    // memory.
    if (type !== undefined || !plain || finder.find(NOT_ASCII, start, feed) >= 0) {
      takeRun(block, feeds, { from: run, to: at, first }, records, options);
      run = at + 1;
      if (type !== undefined) countSide(account, type, feed + 1 - start);
      else takeLine(lineIn(block, start, feed, first + at, max_line_bytes), records, options);
    }
    start = feed + 1;
  }
  takeRun(block, feeds, { from: run, to: feeds.length, first }, records, options);
  if (start === end) return first + feeds.length;
  takeLine(lineIn(block, start, end, first + feeds.length, max_line_bytes), records, options);
  return first + feeds.length + 1;
}

/** A range of a block's lines by index. `first` is the line number of the block's first line. */
interface LineRange {
  from: number;
  to: number;
  first: number;
}

/** Appends the records of adjacent lines that look like intact JSON objects in ASCII. */
function takeRun(
  block: LineBlock,
  feeds: Int32Array,
  { from, to, first }: LineRange,
  records: SourceRecord[],
  options: RecordOptions,
): void {
  if (from === to) return;
  let start = from === 0 ? 0 : (feeds[from - 1] as number) + 1;
  const texts = decoder.decode(block.finder.bytes.subarray(start, feeds[to - 1])).split("\n");
  for (let at = from; at < to; at++) {
    const feed = feeds[at] as number;
    const value = parsePlain(texts[at - from] as string);
    if (value === undefined) {
      parseRecords(lineIn(block, start, feed, first + at), records, options);
    } else {
      const position = { offset: block.offset + start, length: feed + 1 - start, line: first + at };
      records.push({ value, position });
    }
    start = feed + 1;
  }
}

/** Returns the object of a line. Undefined if the line must be parsed with all checks. */
function parsePlain(text: string): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (text.length > 2 * MAX_DEPTH && isDeeperThan(value, MAX_DEPTH)) return undefined;
  keepExactMembers(value, text);
  return value;
}
