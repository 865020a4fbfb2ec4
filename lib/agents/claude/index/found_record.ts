/**
 * The record that was found last, on its way into the index. It is reused from line to line, because
 * there are as many records as lines.
 */
import type { Line } from "../../../log/line_splitter.ts";
import { addRecord, LOST, type NewRecord, type RecordIndex, ROOT, USER } from "./record_index.ts";
import { rowOfId } from "./record_ids.ts";

/** What the line says, as far as it was read. */
export const found: NewRecord = emptyRecord();

function emptyRecord(): NewRecord {
  return {
    type: USER,
    flags: 0,
    parent: ROOT,
    offset: 0,
    length: 0,
    line: 0,
    time: NaN,
    response: 0,
    body: 0,
    body_length: 0,
  };
}

/** Where a record lies in its file. */
export type Place = Pick<Line, "offset" | "length" | "line">;

/** Forgets everything that was found. */
export function clearFound(): void {
  Object.assign(found, emptyRecord());
  clearNames();
}

/** Forgets the ids and the subtype that were found, which not every record has. */
export function clearNames(): void {
  found.id = undefined;
  found.subtype = undefined;
  found.parent_id = undefined;
}

/** Adds what was found to the index, and returns its row. */
export function addFound(index: RecordIndex, { offset, length, line }: Place): number {
  found.offset = offset;
  found.length = length;
  found.line = line;
  return addRecord(index, found);
}

/**
 * Adds what was found, with the parent that it names. Minimal writers name none: then the record
 * before is the parent.
 */
export function addLinked(index: RecordIndex, at: Place): number {
  if (found.parent === LOST) {
    const parent = found.parent_id === undefined
      ? index.count - 1
      : rowOfId(index.ids, found.parent_id);
    if (parent >= 0) found.parent = parent;
    else if (found.parent_id === undefined) found.parent = ROOT;
  }
  return addFound(index, at);
}
