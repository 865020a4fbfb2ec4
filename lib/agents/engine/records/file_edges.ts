/**
 * Reads the first and last lines of a file without its middle, for a list of sessions. The lines
 * stay unparsed, because most of them are not needed.
 */
import { openRegularFile } from "../../../core/file/regular_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { type Line, splitChunk, splitRest, startSplit } from "../../../core/log/line_splitter.ts";
import { readWhole } from "../../../core/log/read_whole.ts";
import { type OpenFile, SeekMode } from "../../../core/platform/file_system.ts";
import { parseRecords, type SourceRecord } from "./source_record.ts";

export const EDGE_BYTES = 64 * 1024;

/** The lines at both ends of a file. No line is in both. */
export interface FileEdges {
  size: number;
  /** Time of the file's last change, in ISO 8601. */
  modified_at?: string;
  /** Whole lines from the start of the file. */
  head: readonly Line[];
  /** Whole lines up to the end of the file, in order. Empty if `head` has the whole file. */
  tail: readonly Line[];
  /** True if `head` and `tail` are all of the file's lines. */
  whole: boolean;
  /** The bytes read of the line that is cut off at the end of `head`. */
  cut?: Uint8Array;
}

export interface EdgeOptions {
  head_bytes?: number;
  tail_bytes?: number;
  /** A buffer that is reused for many files. The edges are only valid until it is used again. */
  room?: EdgeRoom;
}

/** Buffers for a file's edges. If the edges do not fit, other memory is used. */
interface EdgeRoom {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/**
 * Returns options to read many files' edges synchronously with one buffer. The lines of a file are
 * only valid until the next file.
 */
export function reusedEdges(head_bytes: number, tail_bytes: number): EdgeOptions {
  return { head_bytes, tail_bytes, room: edgeRoom(head_bytes, tail_bytes) };
}

/** Returns the buffers. The `head` buffer can hold a whole file of `head_bytes + tail_bytes`. */
function edgeRoom(head_bytes: number, tail_bytes: number): EdgeRoom {
  // One byte more is read before the tail.
  return { head: new Uint8Array(head_bytes + tail_bytes), tail: new Uint8Array(tail_bytes + 1) };
}

const NO_ROOM = edgeRoom(0, 0);

/**
 * Reads the first and last lines of a file.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function readEdges(path: string, options: EdgeOptions = {}): FileEdges {
  const { head_bytes = EDGE_BYTES, tail_bytes = EDGE_BYTES, room = NO_ROOM } = options;
  try {
    const { file, info } = openRegularFile(path, { what: "session" });
    try {
      const modified = info.mtime === null ? {} : { modified_at: info.mtime.toISOString() };
      return { ...edgesOf(file, info.size, { head_bytes, tail_bytes, room }), ...modified };
    } finally {
      file.close();
    }
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

/** Joins the lines of both ends and `between`. Also returns the head's end and the tail's start. */
export function joinedLines(
  { head, tail, whole, size }: FileEdges,
  between: readonly Line[] = [],
): { lines: Line[]; head_end: number; tail_start: number } {
  const last = head.at(-1);
  const head_end = whole ? Infinity : last === undefined ? 0 : last.offset + last.length;
  const tail_start = whole ? 0 : tail[0]?.offset ?? size;
  const inside = between.filter(({ offset }) => offset >= head_end && offset < tail_start);
  return { lines: [...head, ...inside, ...tail], head_end, tail_start };
}

function edgesOf(
  file: OpenFile,
  size: number,
  { head_bytes, tail_bytes, room }: Required<EdgeOptions>,
): FileEdges {
  if (size <= head_bytes + tail_bytes) {
    const head = allLines(readAt(file, 0, size, room.head), 0);
    return { size, head, tail: [], whole: true };
  }
  const bytes = readAt(file, 0, head_bytes, room.head);
  // What is cut would be copied, to be joined with what follows.
  const cut = bytes.lastIndexOf(LF) + 1;
  const lines = splitChunk(startSplit(), bytes.subarray(0, cut));
  const start = size - tail_bytes;
  // One byte more tells whether a line begins at the start of the stretch.
  const end = readAt(file, start - 1, tail_bytes + 1, room.tail);
  const first = end.indexOf(LF) + 1;
  const last = first === 0 ? [] : allLines(end.subarray(first), start - 1 + first);
  return { size, head: lines, tail: last, whole: false, cut: bytes.subarray(cut) };
}

const LF = 0x0a;

function allLines(bytes: Uint8Array, offset: number): Line[] {
  const split = startSplit(undefined, offset, offset === 0 ? 1 : 0);
  const lines = splitChunk(split, bytes);
  const rest = splitRest(split);
  if (rest !== undefined) lines.push(rest);
  // Only a read from the start knows the numbers of lines.
  if (offset > 0) { for (const line of lines) line.line = 0; }
  return lines;
}

function readAt(
  file: OpenFile,
  offset: number,
  length: number,
  room: Uint8Array,
): Uint8Array {
  file.seekSync(offset, SeekMode.Start);
  return readWhole(file, length > room.length ? new Uint8Array(length) : room.subarray(0, length));
}

export function readHeadRecords(path: string, bytes = EDGE_BYTES): SourceRecord[] {
  return recordsIn(readEdges(path, { head_bytes: bytes, tail_bytes: 0 }).head);
}

export function recordsIn(lines: Iterable<Line>): SourceRecord[] {
  const records: SourceRecord[] = [];
  for (const line of lines) parseRecords(line, records);
  return records;
}
