/** Reads a file with one JSON object per line as a source of records. */
import type { Line } from "../../../core/log/line_splitter.ts";
import { readEdges } from "../records/file_edges.ts";
import {
  readRecords,
  readRecordsFromEnd,
  type RecordOptions,
  takeLine,
} from "../records/jsonl_records.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { PlacedSource, RecordEdges, RecordStretch } from "./record_source.ts";

export function lineSource(path: string): PlacedSource {
  return {
    read: (options = {}, from) =>
      readRecords(
        path,
        from === undefined ? options : {
          ...options,
          from: from.offset,
          line: from.line,
        },
      ),
    last: (bytes, options = {}) => lastRecords(path, bytes, options),
    edges: (bytes, options) => Promise.resolve().then(() => lineEdges(path, bytes, options)),
  };
}

/** Reads records at both ends of a file. Returns none for a small file, as rereading is cheap. */
export function lineEdges(
  path: string,
  edge_bytes: number,
  { skip }: Pick<RecordOptions, "skip"> = {},
): RecordEdges {
  const limits = { head_bytes: edge_bytes, tail_bytes: edge_bytes };
  const { head, tail, whole, size } = readEdges(path, limits);
  const recordsIn = (lines: readonly Line[]): SourceRecord[] => {
    const records: SourceRecord[] = [];
    for (const line of lines) takeLine(line, records, { skip });
    return records;
  };
  return { head: whole ? [] : recordsIn(head), tail: recordsIn(tail), whole, bytes: size };
}

/**
 * Minimum number of bytes of a block. Blocks are small, because unneeded lines of a block are
 * parsed in vain.
 */
const LEAST_BLOCK_BYTES = 16 * 1024;
const MOST_BLOCK_BYTES = 256 * 1024;

/** Reads the records in the last `bytes` of a file: at least one record if the file has any. */
export async function lastRecords(
  path: string,
  bytes: number,
  options: RecordOptions & { to?: number },
): Promise<RecordStretch> {
  const records: SourceRecord[] = [];
  let end = 0;
  const block_bytes = Math.min(
    Math.max(Math.trunc(bytes / 4), LEAST_BLOCK_BYTES),
    MOST_BLOCK_BYTES,
  );
  for await (const batch of readRecordsFromEnd(path, { ...options, block_bytes })) {
    for (const record of batch) {
      const { offset, length } = record.position;
      end ||= offset + length;
      if (records.length > 0 && end - offset > bytes) {
        return { records: records.reverse(), whole: false };
      }
      records.push(record);
    }
  }
  return { records: records.reverse(), whole: true };
}
