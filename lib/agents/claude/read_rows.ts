/**
 * Reads the records of rows, in the given order. Adjacent rows are read together, so a branch reads
 * almost as fast as the file.
 */
import { isDeeperThan, MAX_DEPTH } from "../../event/decode.ts";
import { openToRead } from "../../log/byte_source.ts";
import { toSessionError } from "../../log/io_error.ts";
import { trimLine } from "../../log/line_splitter.ts";
import { readWhole } from "../../log/read_whole.ts";
import { isUtf8 } from "../../log/utf8.ts";
import { type OpenFile, SeekMode } from "../../platform/file_system.ts";
import { keepExactMembers } from "../../reading/records/exact_members.ts";
import {
  parseRecords,
  type RecordSink,
  type SourceRecord,
} from "../../reading/records/source_record.ts";
import { asObject } from "../../reading/json_value.ts";
import {
  hasFlag,
  PASSING,
  RECORD_TYPES,
  recordId,
  type RecordIndex,
  SALVAGED,
} from "./index/record_index.ts";
import { rowOfStep, type Steps } from "./path/steps.ts";

/** A step of the branch; without a record where it was not needed, or cannot be read. */
export interface ReadStep {
  step: number;
  record?: StepRecord;
}

/** What a record says. Without a position, only its type and its message were read. */
export interface StepRecord extends Omit<SourceRecord, "position"> {
  position?: SourceRecord["position"];
}

/** How to read rows. */
export interface ReadRowsOptions extends RecordSink {
  signal?: AbortSignal | undefined;
  /** Of most records only the message is wanted, and read. */
  messages_only?: boolean;
}

/** Bytes that are read at once. */
const BLOCK_BYTES = 256 * 1024;
/** Bytes between two rows that are rather read than sought over. */
const GAP_BYTES = 32 * 1024;

/**
 * Reads the steps of a branch, in batches. Those that nobody needs are not read, but have their place.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readSteps(
  path: string,
  index: RecordIndex,
  steps: Steps,
  needed: (row: number) => boolean,
  options: ReadRowsOptions = {},
): AsyncGenerator<ReadStep[]> {
  if (steps.length === 0) return;
  const file = openToRead(path);
  let buffer = new Uint8Array(0);
  try {
    for (let from = 0; from < steps.length;) {
      options.signal?.throwIfAborted();
      const run = nextRun(index, steps, from, needed);
      const size = run.end - run.offset;
      // What one read covers, as most sessions are, needs no room for another.
      const room = run.to === steps.length ? size : Math.max(size, BLOCK_BYTES);
      if (size > buffer.length) buffer = new Uint8Array(room);
      if (size > 0) fill(file, run.offset, buffer.subarray(0, size));
      const batch: ReadStep[] = [];
      for (let at = from; at < run.to; at++) {
        const step = steps[at] as number;
        const row = rowOfStep(step);
        const record = needed(row)
          ? recordOf(index, row, buffer, (index.offset[row] as number) - run.offset, options)
          : undefined;
        batch.push(record === undefined ? { step } : { step, record });
      }
      yield batch;
      from = run.to;
    }
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw toSessionError(error, "read session", path);
  } finally {
    file.close();
  }
}

/** The record of one row. */
export function readRow(
  path: string,
  index: RecordIndex,
  row: number,
): SourceRecord | undefined {
  const file = openToRead(path);
  try {
    const bytes = new Uint8Array(index.length[row] as number);
    fill(file, index.offset[row] as number, bytes);
    return wholeRecord(index, row, bytes, {});
  } catch (error) {
    throw toSessionError(error, "read session", path);
  } finally {
    file.close();
  }
}

interface Run {
  offset: number;
  end: number;
  /** Behind the last step in it. */
  to: number;
}

/** The steps from `from` on that one read covers: at least one. */
function nextRun(
  { offset, length }: RecordIndex,
  steps: Steps,
  from: number,
  needed: (row: number) => boolean,
): Run {
  let start = -1;
  let end = 0;
  let at = from;
  for (; at < steps.length; at++) {
    const row = rowOfStep(steps[at] as number);
    if (!needed(row)) continue;
    const place = offset[row] as number;
    const behind = place + (length[row] as number);
    if (start < 0) start = place;
    else if (place < end || place - end > GAP_BYTES || behind - start > BLOCK_BYTES) break;
    end = behind;
  }
  return start < 0 ? { offset: 0, end: 0, to: at } : { offset: start, end, to: at };
}

function fill(file: OpenFile, offset: number, room: Uint8Array): void {
  file.seekSync(offset, SeekMode.Start);
  const read = readWhole(file, room);
  // The file is shorter than it was.
  room.fill(0, read.length);
}

const decoder = new TextDecoder();

function recordOf(
  index: RecordIndex,
  row: number,
  bytes: Uint8Array,
  start: number,
  options: ReadRowsOptions,
): StepRecord | undefined {
  const body = index.body[row] as number;
  if (options.messages_only === true && body > 0) {
    const from = start + body;
    const message = parsedMessage(bytes.subarray(from, from + (index.body_length[row] as number)));
    if (message !== undefined) {
      return { value: { type: RECORD_TYPES[index.type[row] as number], message } };
    }
  }
  return wholeRecord(
    index,
    row,
    bytes.subarray(start, start + (index.length[row] as number)),
    options,
  );
}

/** A shorter message cannot nest too deep. */
const SHORTEST_DEEP_MESSAGE = 2 * MAX_DEPTH - 2;

/** A message; undefined where it is not all that the bytes hold. */
function parsedMessage(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    // Bytes that are no UTF-8, and depths that are no one's, are reported with their line.
    if (text.includes("\ufffd") && !isUtf8(bytes)) return undefined;
    const message: unknown = JSON.parse(text);
    const deep = bytes.length > SHORTEST_DEEP_MESSAGE && isDeeperThan(message, MAX_DEPTH - 1);
    if (deep) return undefined;
    keepExactMembers(message, text);
    return message;
  } catch {
    // SyntaxError: damaged, or more than a message.
    return undefined;
  }
}

const LF = 0x0a;

function wholeRecord(
  index: RecordIndex,
  row: number,
  raw: Uint8Array,
  sink: RecordSink,
): SourceRecord | undefined {
  const terminated = raw[raw.length - 1] === LF;
  const bytes = trimLine(terminated ? raw.subarray(0, -1) : raw);
  const place = {
    offset: index.offset[row] as number,
    length: index.length[row] as number,
    line: index.line[row] as number,
  };
  const records: SourceRecord[] = [];
  parseRecords({ ...place, bytes, terminated, oversized: false }, records, sink);
  const [read] = records;
  const inner = index.type[row] === PASSING ? undefined : agentMessage(read?.value);
  const record = inner === undefined || read === undefined ? read : { ...read, value: inner };
  if (record === undefined || !isRecordOf(record, recordId(index, row))) return undefined;
  return hasFlag(index, row, SALVAGED) ? { ...record, salvaged: true } : record;
}

/** The message of a subagent that a record of progress holds, as a record of its own. */
export function agentMessage(
  value: SourceRecord["value"] | undefined,
): SourceRecord["value"] | undefined {
  const { data, parentUuid: _parent, ...frame } = value ?? {};
  const { message } = asObject(data);
  if (frame.type !== "progress" || message === undefined) return undefined;
  return { ...frame, ...asObject(message), isSidechain: true };
}

/** In a damaged line another record may be found than the one that its ends told of. */
function isRecordOf({ value }: SourceRecord, id: string): boolean {
  return value.uuid === id || (!value.uuid && id.startsWith("#"));
}
