/**
 * Reads the records at given positions in a file, in the given order. Adjacent records are read
 * together, so a branch is read almost as fast as a whole file.
 */
import type { LinePosition } from "../../../core/event/envelope.ts";
import { openToRead } from "../../../core/log/byte_source.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { type Line, trimLine } from "../../../core/log/line_splitter.ts";
import { readWhole } from "../../../core/log/read_whole.ts";
import { type OpenFile, SeekMode } from "../../../core/platform/file_system.ts";
import { parseRecords, type RecordSink, type SourceRecord } from "./source_record.ts";

/** The position of a record. Salvaged records of the same line differ in their offsets. */
export interface RecordPlace extends LinePosition {
  salvaged?: boolean | undefined;
}

/** A requested position and its record. `record` is absent if it cannot be parsed. */
interface PlacedRecord<Place extends RecordPlace> {
  place: Place;
  record?: SourceRecord;
}

/** Maximum number of bytes that one read covers, unless one record is longer. */
const BLOCK_BYTES = 256 * 1024;
/** Maximum number of unneeded bytes between two records that are read together. */
const GAP_BYTES = 32 * 1024;

interface Places {
  readonly count: number;
  offset(at: number): number;
  /** Returns a place's length in bytes. 0 if the place is not to be read. */
  length(at: number): number;
}

interface Run {
  from: number;
  /** Index of the first place that this read does not cover. */
  to: number;
  offset: number;
  bytes: Uint8Array;
}

/** Returns the places that one read can cover, beginning with `from`. There is at least one. */
function runFrom(places: Places, from: number): Omit<Run, "bytes"> & { end: number } {
  let start = -1;
  let end = 0;
  let at = from;
  for (; at < places.count; at++) {
    const length = places.length(at);
    if (length === 0) continue;
    const place = places.offset(at);
    const behind = place + length;
    if (start < 0) start = place;
    else if (place < end || place - end > GAP_BYTES || behind - start > BLOCK_BYTES) break;
    end = behind;
  }
  return { from, to: at, offset: Math.max(0, start), end };
}

/**
 * Reads the bytes of places in order. One read covers adjacent places. The bytes are valid until
 * the next run is requested.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readRuns(
  path: string,
  places: Places,
  signal: AbortSignal | undefined,
): AsyncGenerator<Run> {
  if (places.count === 0) return;
  const file = openToRead(path);
  let buffer = new Uint8Array(0);
  try {
    for (let from = 0; from < places.count;) {
      signal?.throwIfAborted();
      const { end, ...run } = runFrom(places, from);
      const size = end - run.offset;
      // A session that one read covers, as most sessions are, needs no room for a second read.
      const room = run.to === places.count ? size : Math.max(size, BLOCK_BYTES);
      if (size > buffer.length) buffer = new Uint8Array(room);
      yield { ...run, bytes: fill(file, run.offset, buffer.subarray(0, size)) };
      from = run.to;
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    throw toSessionError(error, "read session", path);
  } finally {
    file.close();
  }
}

/**
 * Yields the records at `places`, in batches. Unparsable records go to `sink` as damage.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readRecordsAt<Place extends RecordPlace>(
  path: string,
  places: readonly Place[],
  sink: RecordSink & { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<PlacedRecord<Place>[]> {
  const runs = readRuns(path, {
    count: places.length,
    offset: (at) => places[at]?.offset ?? 0,
    length: (at) => places[at]?.length ?? 0,
  }, sink.signal);
  for await (const { from, to, offset, bytes } of runs) {
    yield places.slice(from, to).map((place) => {
      const start = place.offset - offset;
      const record = recordIn(place, bytes.subarray(start, start + place.length), sink);
      return record === undefined ? { place } : { place, record };
    });
  }
}

/**
 * Reads the record at a position. Undefined if the record cannot be parsed.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function readRecordAt(path: string, place: RecordPlace): SourceRecord | undefined {
  const file = openToRead(path);
  try {
    return recordIn(place, fill(file, place.offset, new Uint8Array(place.length)), {});
  } catch (error) {
    throw toSessionError(error, "read session", path);
  } finally {
    file.close();
  }
}

function fill(file: OpenFile, offset: number, room: Uint8Array): Uint8Array {
  file.seekSync(offset, SeekMode.Start);
  return readWhole(file, room);
}

const LF = 0x0a;

export function recordIn(
  { offset, length, line, salvaged }: RecordPlace,
  raw: Uint8Array,
  sink: RecordSink,
): SourceRecord | undefined {
  const terminated = raw[raw.length - 1] === LF;
  const bytes = trimLine(terminated ? raw.subarray(0, -1) : raw);
  const records: SourceRecord[] = [];
  parseRecords({ offset, length, line, bytes, terminated, oversized: false }, records, sink);
  const [record] = records;
  return record !== undefined && salvaged ? { ...record, salvaged } : record;
}

interface LineRecords {
  line(place: RecordPlace): Line | undefined;
  record(place: RecordPlace): SourceRecord | undefined;
}

export function recordsInLines(lines: readonly Line[]): LineRecords {
  const byOffset = new Map(lines.map((line) => [line.offset, line]));
  const records = new Map<number, SourceRecord | undefined>();
  const lineOf = ({ offset }: RecordPlace): Line | undefined =>
    byOffset.get(offset) ??
      lines.find((line) => line.offset < offset && offset < line.offset + line.length);
  return {
    line: lineOf,
    record(place): SourceRecord | undefined {
      const { offset } = place;
      if (!records.has(offset)) records.set(offset, recordAt(lineOf(place), offset));
      return records.get(offset);
    },
  };
}

function recordAt(line: Line | undefined, offset: number): SourceRecord | undefined {
  const records: SourceRecord[] = [];
  if (line !== undefined) parseRecords(line, records);
  return records.find(({ position }) => position.offset === offset);
}
