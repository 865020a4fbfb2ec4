/**
 * Reads the blocks of a text file as records. A block is a group of adjacent lines from a user, a
 * model or a program. The file may hold the texts of many sessions.
 */
import type { LinePosition } from "../../../core/event/envelope.ts";
import type { DiagnosticCode } from "../../../core/log/diagnostic.ts";
import type { Line } from "../../../core/log/line_splitter.ts";
import { isUtf8 } from "../../../core/event/bytes.ts";
import { count, countSide } from "../../contract/source_account.ts";
import { readEdges } from "../records/file_edges.ts";
import { readLines, type RecordOptions } from "../records/jsonl_records.ts";
import type { RecordSink, SourceRecord } from "../records/source_record.ts";
import type { PlacedSource, RecordEdges, RecordStretch, SourcePosition } from "./record_source.ts";

export interface SourceRange {
  from: number;
  to: number;
  /** Line number of the range's first line. */
  line: number;
  /** Size of the whole file in bytes. */
  size: number;
}

/** Splits lines into blocks. A finished block leaves no state in the splitter. */
export interface BlockSplitter {
  /** Takes a line, and returns the blocks that ended before it. */
  take(line: TextLine): SourceRecord[];
  end(): SourceRecord[];
}

interface BlockText<Range extends SourceRange> {
  path: string;
  /** Returns the session's range in the file. Undefined if the session no longer exists. */
  range(): Promise<Range | undefined>;
  splitter(range: Range): BlockSplitter;
  /** True if a block certainly begins at `line`. Only the line above it, `before`, is known. */
  begins(line: TextLine, before: TextLine): boolean;
}

export function blockSource<Range extends SourceRange>(
  text: BlockText<Range>,
): PlacedSource {
  return {
    async *read(options = {}, from): AsyncGenerator<SourceRecord[]> {
      const range = await text.range();
      if (from === undefined) countOthers(text.path, range, options);
      if (range !== undefined) yield* readBlocks(text, range, { ...options, from });
    },
    last: async (bytes) => await lastBlocks(text, await text.range(), bytes),
    edges: async (bytes) => await edgesOf(text, await text.range(), bytes),
  };
}

function countOthers(
  path: string,
  range: SourceRange | undefined,
  { account }: RecordOptions,
): void {
  const { from = 0, to = 0, size = fileSize(path) } = range ?? {};
  const others = size - (to - from);
  if (others > 0) countSide(account, "other sessions", others);
}

function fileSize(path: string): number {
  return readEdges(path, { head_bytes: 0, tail_bytes: 0 }).size;
}

interface BlockOptions extends RecordOptions {
  from?: SourcePosition | undefined;
  /** Byte offset at which to stop. A block that ends later is left out. @default {the end} */
  to?: number;
}

export async function* readBlocks<Range extends SourceRange>(
  { path, splitter }: Pick<BlockText<Range>, "path" | "splitter">,
  range: Range,
  { from, to = range.to, ...options }: BlockOptions = {},
): AsyncGenerator<SourceRecord[]> {
  const { offset, line } = from ?? { offset: range.from, line: range.line };
  const blocks = splitter(range);
  for await (const lines of readLines(path, { ...options, from: offset, line, to })) {
    const ended = lines.flatMap((one) => {
      const text = textLine(one, options);
      return text === undefined ? [] : blocks.take(text);
    });
    if (ended.length > 0) yield ended;
  }
  const rest = to < range.to ? [] : blocks.end();
  if (rest.length > 0) yield rest;
}

async function edgesOf<Range extends SourceRange>(
  text: BlockText<Range>,
  range: Range | undefined,
  bytes: number,
): Promise<RecordEdges> {
  if (range === undefined) return { head: [], tail: [], whole: true };
  const size = range.to - range.from;
  if (size <= 2 * bytes) return { head: [], tail: [], whole: true, bytes: size };
  const head: SourceRecord[] = [];
  for await (const blocks of readBlocks(text, range, { to: range.from + bytes })) {
    for (const one of blocks) head.push(one);
  }
  return { head, tail: [], whole: false, bytes: size };
}

/** Reads the blocks in a range's last bytes, from the first line that certainly begins a block. */
async function lastBlocks<Range extends SourceRange>(
  text: BlockText<Range>,
  range: Range | undefined,
  bytes: number,
): Promise<RecordStretch> {
  const { from = 0, to = 0 } = range ?? {};
  if (range === undefined) return { records: [], whole: true };
  const whole = to - from <= bytes;
  const start = whole ? from : await firstBegin(text, to - bytes, to);
  const records: SourceRecord[] = [];
  // Only a read from the beginning knows the numbers of lines.
  for await (const blocks of readBlocks(text, range, { from: { offset: start, line: 0 } })) {
    for (const { position, ...rest } of blocks) {
      records.push({ ...rest, position: { ...position, line: 0 } });
    }
  }
  return { records, whole };
}

/** Returns the offset of the first line that certainly begins a block, or `to` if there is none. */
async function firstBegin<Range extends SourceRange>(
  { path, begins }: BlockText<Range>,
  from: number,
  to: number,
): Promise<number> {
  let before: TextLine | undefined;
  let whole = false;
  for await (const lines of readLines(path, { from, to })) {
    for (const one of lines) {
      const line = whole ? textLine(one, {}) : undefined;
      // The first line may be incomplete.
      whole = true;
      if (line === undefined) continue;
      if (before !== undefined && begins(line, before)) return one.offset;
      before = line;
    }
  }
  return to;
}

// Reads lines of a text file. Any bytes are text, except NUL runs of a power cut and overlong
// lines. These are damage.

/** A line of text, including its newline. */
export interface TextLine {
  text: string;
  position: LinePosition;
  /** Number of bytes counted as events, without damaged bytes. It is 0 for a blank line. */
  weight: number;
}

const decoder = new TextDecoder();
const NUL = 0;
const BOM_BYTES = 3;

/** Returns a line's text. Undefined if it has none. Damaged and blank bytes are counted. */
function textLine(line: Line, sink: RecordSink): TextLine | undefined {
  const { bytes, offset, length, line: number, terminated } = line;
  const position = { offset, length, line: number };
  const find = (code: DiagnosticCode, detail: string, at = position): void => {
    if (code !== "invalid-utf8") count(sink.account, "damage", at.length);
    sink.report?.({ code, ...at, detail });
  };
  if (line.oversized) {
    find("oversized-line", `the line is too long: ${length} bytes`);
    return undefined;
  }
  const runs = nulRuns(bytes);
  const left = bytes.length - runs.reduce((sum, run) => sum + run.length, 0);
  if (runs.length > 0 && left === 0) {
    find("nul-run", "the file has NUL bytes here");
    return undefined;
  }
  const lead = length - bytes.length >= BOM_BYTES + Number(terminated) ? BOM_BYTES : 0;
  for (const run of runs) {
    const at = { offset: offset + lead + run.offset, length: run.length, line: number };
    find("nul-run", "the file has NUL bytes here", at);
  }
  const text = decoder.decode(runs.length === 0 ? bytes : bytes.filter((byte) => byte !== NUL));
  if (text.includes("\ufffd") && !isUtf8(bytes)) {
    find("invalid-utf8", "invalid UTF-8 is shown as U+FFFD");
  }
  const whole = length - (bytes.length - left);
  const blank = text.trim() === "";
  if (blank) count(sink.account, "blank", whole);
  return { text: terminated ? `${text}\n` : text, position, weight: blank ? 0 : whole };
}

function nulRuns(bytes: Uint8Array): { offset: number; length: number }[] {
  const runs: { offset: number; length: number }[] = [];
  for (let offset = bytes.indexOf(NUL); offset >= 0; offset = bytes.indexOf(NUL, offset)) {
    const start = offset;
    while (bytes[offset] === NUL) offset++;
    runs.push({ offset: start, length: offset - start });
  }
  return runs;
}
