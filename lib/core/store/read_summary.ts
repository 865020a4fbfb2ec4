/**
 * Reads a summary from a log's head and tail. The first line has the working directory and the
 * start time, the last checkpoint the rest. The middle is not read.
 */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import { readLinePrefix } from "../event/line_prefix.ts";
import { SUMMARY_KINDS } from "../event/policy.ts";
import { openLog } from "../log/byte_source.ts";
import { type ChecksumHistory, checksumHistory } from "../log/checksum_history.ts";
import { toSessionError } from "../log/io_error.ts";
import { parseLine, timeLastEvent } from "../log/line_parser.ts";
import { type Line, trimLine } from "../log/line_splitter.ts";
import { emptyTally, type ParseState } from "../log/parse_state.ts";
import { readWhole } from "../log/read_whole.ts";
import { type FileInfo, type OpenFile, SeekMode } from "../platform/file_system.ts";
import {
  applySummary,
  isActivity,
  type LogSummary,
  stateAtCheckpoint,
  summary,
  type SummaryState,
  toSummary,
} from "../projection/summary.ts";

export interface LogEdges {
  state: SummaryState;
  /** Size of the log in bytes when it was opened. */
  bytes: number;
  info: FileInfo;
  /** False if only a full read can tell the counts and the title. */
  complete: boolean;
  /** Number of bytes after the last checkpoint; the log's size if none was found. */
  since_checkpoint: number;
}

const HEAD_BYTES = 4 * 1024;
const FIRST_TAIL_BYTES = 4 * 1024;
/** Maximum size in bytes of a log that is read whole if its end has no checkpoint. */
const WHOLE_BYTES = 96 * 1024;
/** Number of bytes at the end that are searched for a checkpoint. Writers add one every 256 KiB. */
const FARTHEST_TAIL_BYTES = 1024 * 1024;
const SMALL_BYTES = 32 * 1024;
/** Buffer for a small log. It is reused for each of thousands of logs. */
const smallLog = new Uint8Array(SMALL_BYTES);
const LONGEST_HEADER = 1024 * 1024;
const LF = 0x0a;

function ignore(): void {}

/** The parser's state before the first line to parse. */
type Before = Pick<ParseState, "checked" | "history"> & { last_seq?: number };

function parseState({ last_seq, ...before }: Before = {}): ParseState {
  return { last_seq, kinds: SUMMARY_KINDS, report: ignore, tally: emptyTally(), ...before };
}

/** Reads bytes of a log, which stay valid until the next log is read. */
type ReadAt = (offset: number, length: number) => Uint8Array;

/** Returns a function that reads parts of a log. Reads a small log whole, which is faster. */
function readerOf(file: OpenFile, size: number): ReadAt {
  if (size <= SMALL_BYTES) {
    const whole = readWhole(file, smallLog.subarray(0, size));
    return (offset, length) => whole.subarray(offset, offset + length);
  }
  return (offset, length) => {
    file.seekSync(offset, SeekMode.Start);
    return readWhole(file, new Uint8Array(length));
  };
}

/** Parses lines. Damaged events are found by `before.last_seq`, the preceding event's number. */
function parseAll(lines: Iterable<Line>, before?: Before): LogEvent[] {
  const state = parseState(before);
  const events: LogEvent[] = [];
  for (const line of lines) parseLine(state, line, events);
  timeLastEvent(state, events);
  return events;
}

/** Yields the complete lines in the first 4 KiB of a log, and its first line up to 2 MiB. */
function* readHead(read: ReadAt, size: number): Generator<Line> {
  let bytes = read(0, Math.min(HEAD_BYTES, size));
  for (let length = HEAD_BYTES; !bytes.includes(LF) && length < size; length *= 8) {
    if (length >= LONGEST_HEADER) return;
    bytes = read(0, Math.min(length * 8, size));
  }
  let start = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
    yield lineAt(start, bytes.subarray(start, end), true);
    start = end + 1;
  }
  if (start === 0 && size > 0) yield lineAt(0, bytes, false);
}

function lineAt(offset: number, raw: Uint8Array, terminated: boolean): Line {
  const length = raw.length + Number(terminated);
  return { bytes: trimLine(raw), offset, length, line: 0, terminated, oversized: false };
}

/** Yields the lines in bytes of a log, the last one first. Leaves out an incomplete first line. */
function* linesBackward(bytes: Uint8Array, start: number): Generator<Line> {
  let right = bytes.length;
  let terminated = false;
  while (right >= 0) {
    const newline = right === 0 ? -1 : bytes.lastIndexOf(LF, right - 1);
    if (newline < 0 && start > 0) return;
    const line = lineAt(start + newline + 1, bytes.subarray(newline + 1, right), terminated);
    if (line.length > 0) yield line;
    terminated = true;
    right = newline;
  }
}

type Checkpoint = KnownEvent & { kind: "session_checkpoint" };

interface Tail {
  checkpoint?: Checkpoint;
  /** Number of bytes after the checkpoint. */
  bytes: number;
  /** Events after the checkpoint, in order; without a checkpoint, all events that were read. */
  events: LogEvent[];
  /** Time of the last message or call that was read; absent without a checkpoint. */
  used_at?: string | undefined;
  /** Time of the first `session_closed` after the last message or call, before the checkpoint. */
  ended_at?: string | undefined;
}

function checkpointIn(line: Line): Checkpoint | undefined {
  const prefix = readLinePrefix(line.bytes);
  if (prefix !== undefined && prefix.kind !== "session_checkpoint") return undefined;
  const [event] = parseAll([line]);
  const counts = event?.form === "known" && event.kind === "session_checkpoint" &&
    event.integrity === "verified";
  return counts ? event : undefined;
}

function readTail(bytes: Uint8Array, start: number, history: ChecksumHistory): Tail {
  const lines: Line[] = [];
  const end = start + bytes.length;
  const backward = linesBackward(bytes, start);
  for (const line of backward) {
    const checkpoint = checkpointIn(line);
    if (checkpoint !== undefined) {
      const events = parseAll(lines.reverse(), { last_seq: checkpoint.seq, checked: true });
      const tail: Tail = { checkpoint, bytes: end - line.offset - line.length, events };
      tail.used_at = usedAt(events);
      for (const before of tail.used_at === undefined ? backward : []) {
        const earlier = parseAll([before]);
        tail.used_at = usedAt(earlier);
        if (tail.used_at !== undefined) break;
        tail.ended_at = earlier.find(({ kind }) => kind === "session_closed")?.time ??
          tail.ended_at;
      }
      return tail;
    }
    lines.push(line);
  }
  const events = parseAll(lines.reverse(), start === 0 ? { last_seq: 0 } : { history });
  return { bytes: end, events };
}

function usedAt(events: readonly LogEvent[]): string | undefined {
  return events.findLast((event) => event.time !== undefined && isActivity(event))?.time;
}

type Started = KnownEvent & { kind: "session_started" };

function startedIn(lines: Iterable<Line>): Started | undefined {
  const state = parseState();
  for (const line of lines) {
    const events: LogEvent[] = [];
    parseLine(state, line, events);
    for (const event of events) {
      if (event.form === "known" && event.kind === "session_started") return event;
    }
  }
  return undefined;
}

function fold(state: SummaryState, events: Iterable<LogEvent>): SummaryState {
  for (const event of events) state = applySummary(state, event);
  return state;
}

function readEdges(read: ReadAt, info: FileInfo, history: ChecksumHistory): LogEdges {
  const { size } = info;
  let tail: Tail = { bytes: 0, events: [] };
  for (let length = FIRST_TAIL_BYTES;; length *= 8) {
    const start = Math.max(0, size - length);
    tail = readTail(read(start, size - start), start, history);
    if (tail.checkpoint !== undefined && (tail.used_at !== undefined || start === 0)) break;
    if (start === 0) {
      const state = fold(summary().initial(), tail.events);
      return { state, bytes: size, info, complete: true, since_checkpoint: size };
    }
    if (length >= FARTHEST_TAIL_BYTES) break;
    if (size <= WHOLE_BYTES) length = WHOLE_BYTES;
  }
  const head = readHead(read, size);
  if (tail.checkpoint === undefined) {
    const state = fold(fold(summary().initial(), parseAll(head)), tail.events);
    return { state, bytes: size, info, complete: false, since_checkpoint: size };
  }
  const { payload, time, turn_id } = tail.checkpoint;
  const started = startedIn(head);
  const state = stateAtCheckpoint(started?.payload, payload);
  state.altered = started?.integrity === "mismatch";
  state.active = tail.used_at !== undefined;
  state.ended = tail.ended_at !== undefined;
  state.updated_at = tail.ended_at ?? tail.used_at ?? time ?? state.updated_at;
  state.last_seq = tail.checkpoint.seq;
  state.turn_id = turn_id;
  const since_checkpoint = tail.bytes;
  return { state: fold(state, tail.events), bytes: size, info, complete: true, since_checkpoint };
}

/**
 * Reads the start and the end of a log, as far as its summary needs them.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsafe-store`, `unsupported-source`
 */
export function readLogEdges(path: string): LogEdges {
  try {
    const { file, info } = openLog(path);
    try {
      return readEdges(readerOf(file, info.size), info, checksumHistory(path));
    } finally {
      file.close();
    }
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

const COUNTS = ["message_count", "turn_count", "usage", "cost_usd", "models"] as const;

export function edgesSummary({ state, complete }: LogEdges): LogSummary {
  const row = toSummary(state);
  if (!complete) { for (const field of COUNTS) delete row[field]; }
  return row;
}
