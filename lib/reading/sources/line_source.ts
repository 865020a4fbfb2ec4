/** A file of one JSON object a line, as a source of records. */
import { readRecords, readRecordsFromEnd, type RecordOptions } from "../records/jsonl_records.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { RecordSource, RecordStretch } from "./record_source.ts";

/** Makes the source of a file's records. */
export function lineSource(path: string): RecordSource & Required<Pick<RecordSource, "last">> {
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
  };
}

async function lastRecords(
  path: string,
  bytes: number,
  options: RecordOptions,
): Promise<RecordStretch> {
  const records: SourceRecord[] = [];
  let end = 0;
  for await (const batch of readRecordsFromEnd(path, options)) {
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
