/**
 * Reads the records at given places, in the given order. Adjacent places are read together, so a
 * branch reads almost as fast as a file.
 */
import type { LinePosition } from "../../event/envelope.ts";
import { openToRead } from "../../log/byte_source.ts";
import { toSessionError } from "../../log/io_error.ts";
import { trimLine } from "../../log/line_splitter.ts";
import { readWhole } from "../../log/read_whole.ts";
import { type OpenFile, SeekMode } from "../../platform/file_system.ts";
import { parseRecords, type RecordSink, type SourceRecord } from "./source_record.ts";

/** Where a record lies. A salvaged one is told apart from the line's others by its place. */
export interface RecordPlace extends LinePosition {
  salvaged?: boolean | undefined;
}

/** A record that was asked for, or nothing where it cannot be parsed. */
export interface PlacedRecord<Place extends RecordPlace> {
  place: Place;
  record?: SourceRecord;
}

/** Bytes that are read at once. */
const BLOCK_BYTES = 512 * 1024;
/** Bytes between two places that are rather read than sought over. */
const GAP_BYTES = 32 * 1024;

interface Run {
  offset: number;
  end: number;
  /** Index behind the last place in it. */
  to: number;
}

/** The places from index `from` on that one read covers: at least one. */
function nextRun(places: readonly RecordPlace[], from: number): Run {
  const first = places[from] as RecordPlace;
  const run: Run = { offset: first.offset, end: first.offset + first.length, to: from + 1 };
  for (let place = places[run.to]; place !== undefined; place = places[++run.to]) {
    const end = place.offset + place.length;
    if (place.offset < run.end || place.offset - run.end > GAP_BYTES) break;
    if (end - run.offset > BLOCK_BYTES) break;
    run.end = end;
  }
  return run;
}

/**
 * The records at `places`, in batches. What cannot be parsed goes to `sink` as damage.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readRecordsAt<Place extends RecordPlace>(
  path: string,
  places: readonly Place[],
  sink: RecordSink & { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<PlacedRecord<Place>[]> {
  if (places.length === 0) return;
  const file = openToRead(path);
  let buffer = new Uint8Array(0);
  try {
    for (let from = 0; from < places.length;) {
      sink.signal?.throwIfAborted();
      const run = nextRun(places, from);
      const size = run.end - run.offset;
      // What one read covers, as most sessions are, needs no room for another.
      const room = run.to === places.length ? size : Math.max(size, BLOCK_BYTES);
      if (size > buffer.length) buffer = new Uint8Array(room);
      const bytes = fill(file, run.offset, buffer.subarray(0, size));
      yield places.slice(from, run.to).map((place) => {
        const start = place.offset - run.offset;
        return placed(place, bytes.subarray(start, start + place.length), sink);
      });
      from = run.to;
    }
  } catch (error) {
    if (sink.signal?.aborted) throw error;
    throw toSessionError(error, "read session", path);
  } finally {
    file.close();
  }
}

/**
 * Returns the record at a place; undefined where it cannot be parsed.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function readRecordAt(path: string, place: RecordPlace): SourceRecord | undefined {
  const file = openToRead(path);
  try {
    return placed(place, fill(file, place.offset, new Uint8Array(place.length)), {}).record;
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

function placed<Place extends RecordPlace>(
  place: Place,
  raw: Uint8Array,
  sink: RecordSink,
): PlacedRecord<Place> {
  const terminated = raw[raw.length - 1] === LF;
  const bytes = trimLine(terminated ? raw.subarray(0, -1) : raw);
  const records: SourceRecord[] = [];
  const { offset, length, line, salvaged } = place;
  parseRecords({ offset, length, line, bytes, terminated, oversized: false }, records, sink);
  const [record] = records;
  if (record === undefined) return { place };
  return { place, record: salvaged ? { ...record, salvaged } : record };
}
