/**
 * The first records in the bytes at a file's start: what recognizing a file goes by.
 */
import { splitChunk, splitRest, startSplit } from "../log/line_splitter.ts";
import { recordsIn } from "./file_edges.ts";
import type { SourceRecord } from "./source_record.ts";

/** Lines that are looked at: a damaged first one must not hide what the file is. */
const LINES = 8;

/** The records in the first lines of `head`. */
export function headRecords(head: Uint8Array): SourceRecord[] {
  const split = startSplit();
  const lines = splitChunk(split, head);
  const rest = splitRest(split);
  if (rest !== undefined) lines.push(rest);
  return recordsIn(lines.slice(0, LINES));
}
