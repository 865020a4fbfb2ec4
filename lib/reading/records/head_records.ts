/**
 * Reads the first records in the bytes at a file's start, by which its agent is recognized.
 */
import { splitChunk, splitRest, startSplit } from "../../log/line_splitter.ts";
import { recordsIn } from "./file_edges.ts";
import { parseJsonPrefix } from "./json_prefix.ts";
import { asObject } from "../json_value.ts";
import type { SourceRecord } from "./source_record.ts";

/** Lines that are looked at: a damaged first one must not hide what the file is. */
const LINES = 8;
/** Lines that any agent asks for. */
const MOST_LINES = 400;

/** One agent after the other looks at the same bytes. */
const known = new WeakMap<Uint8Array, SourceRecord[]>();
const decoder = new TextDecoder();

/** The records in the first lines of `head`. A line that is cut counts as far as it goes. */
export function headRecords(head: Uint8Array, lines = LINES): SourceRecord[] {
  const records = known.get(head) ?? recordsOf(head);
  known.set(head, records);
  return records.filter(({ position }) => position.line <= lines);
}

function recordsOf(head: Uint8Array): SourceRecord[] {
  const split = startSplit();
  const records = recordsIn(splitChunk(split, head).slice(0, MOST_LINES));
  const rest = splitRest(split);
  if (rest === undefined) return records;
  const whole = recordsIn([rest]);
  const { bytes, ...position } = rest;
  const cut = { value: { ...asObject(parseJsonPrefix(decoder.decode(bytes))) }, position };
  return [...records, ...(whole.length > 0 ? whole : [cut])];
}
