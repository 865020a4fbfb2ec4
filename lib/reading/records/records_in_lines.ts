/**
 * Parses the records of lines that are at hand, when they are asked for and not before.
 */
import type { Line } from "../../log/line_splitter.ts";
import type { RecordPlace } from "./records_at.ts";
import { parseRecords, type SourceRecord } from "./source_record.ts";

/** Gives records of lines by their place. */
export interface LineRecords {
  /** The line in which a place lies. */
  line(place: RecordPlace): Line | undefined;
  record(place: RecordPlace): SourceRecord | undefined;
}

/** The records of lines. */
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
