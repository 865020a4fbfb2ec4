/**
 * The records of a Claude Code session in columns of numbers: type, parent and place. A session of
 * 250 MB has a quarter of a million records. An object for each would need too much memory.
 */
import type { SideFacts } from "../side_facts.ts";
import { addId, addKey, emptyIds, idOfRow, type RecordIds, rowOfId } from "./record_ids.ts";

/** What a compaction keeps of what was before it. */
export interface Boundary {
  /** The record that was the last one before. */
  logical_parent_id?: string;
  /** The record behind which what is kept stands now. */
  anchor_id?: string;
  /** What is kept: by its first and last record, or one by one. */
  head_id?: string;
  tail_id?: string;
  ids?: readonly string[];
}

/** Types of records that stand in the tree; the last one only leads from its child to its parent. */
export const RECORD_TYPES = ["user", "assistant", "system", "attachment", "progress"] as const;
export const USER = 0;
export const ASSISTANT = 1;
export const SYSTEM = 2;
export const ATTACHMENT = 3;
/** Records of progress, and those of types that are not known. */
export const PASSING = 4;

/** Of a sub-agent's own dialogue. */
export const SIDECHAIN = 1;
/** Holds results of calls. */
export const RESULTS = 2;
/** Its line is damaged: it leads to its parent, and says nothing else. */
export const DAMAGED = 4;
/** Taken from a damaged line. */
export const SALVAGED = 8;
/** Another record with its id was written later: that one counts. */
export const REPEATED = 16;
/** May be the summary of a compaction. */
export const SUMMARY = 32;

/** Parents that are no rows. */
export const ROOT = -1;
export const LOST = -2;

/** The records of a file. All columns are by row, in the order of the file. */
export interface RecordIndex {
  count: number;
  ids: RecordIds;
  type: Uint8Array;
  flags: Uint8Array;
  /** The row of the parent, {@linkcode ROOT} or {@linkcode LOST}. */
  parent: Int32Array;
  offset: Float64Array;
  length: Int32Array;
  line: Int32Array;
  /** Milliseconds since 1970, or NaN. */
  time: Float64Array;
  /** Names the response that a record of the model is part of; 0 where it has no message id. */
  response: Float64Array;
  /** Where the message lies in its record, where it alone has to be read; 0 where all has. */
  body: Int32Array;
  body_length: Int32Array;
  /** Index of the subtype in `subtypes`, where 0 is none. */
  subtype: Uint16Array;
  readonly subtypes: string[];
  /** Types of passing records, by row. */
  readonly passing_types: Map<number, string>;
  readonly boundaries: Map<number, Boundary>;
  /** Ids of the parents that the file does not hold. */
  readonly lost: Map<number, string>;
  readonly side: SideFacts;
}

/** A record to be added. */
export interface NewRecord {
  /** Absent where the key was read into the table of ids. */
  id?: string | undefined;
  type: number;
  flags: number;
  /** A row, {@linkcode ROOT}, or {@linkcode LOST}, which may be found later, with `parent_id`. */
  parent: number;
  parent_id?: string | undefined;
  offset: number;
  length: number;
  line: number;
  time: number;
  response: number;
  body: number;
  body_length: number;
  subtype?: string | undefined;
}

const FIRST_ROWS = 16;

/** An index without records, with room for some. */
export function emptyIndex(rows = FIRST_ROWS): RecordIndex {
  return {
    count: 0,
    ids: emptyIds(rows),
    type: new Uint8Array(rows),
    flags: new Uint8Array(rows),
    parent: new Int32Array(rows),
    offset: new Float64Array(rows),
    length: new Int32Array(rows),
    line: new Int32Array(rows),
    time: new Float64Array(rows),
    response: new Float64Array(rows),
    body: new Int32Array(rows),
    body_length: new Int32Array(rows),
    subtype: new Uint16Array(rows),
    subtypes: [""],
    passing_types: new Map(),
    boundaries: new Map(),
    lost: new Map(),
    side: {},
  };
}

const COLUMNS = [
  "type",
  "flags",
  "parent",
  "offset",
  "length",
  "line",
  "time",
  "response",
  "body",
  "body_length",
  "subtype",
] as const;

type Column = Uint8Array | Uint16Array | Int32Array | Float64Array;

function grow(index: RecordIndex): void {
  for (const name of COLUMNS) {
    const column: Column = index[name];
    const make = column.constructor as new (buffer: ArrayBufferLike) => Column;
    // Its memory is given back at once: a copy would leave it to the garbage collector.
    const buffer = (column.buffer as ArrayBuffer).transfer(2 * column.byteLength);
    Object.assign(index, { [name]: new make(buffer) });
  }
}

/** Adds a record; gives its row. */
export function addRecord(index: RecordIndex, record: NewRecord): number {
  const row = index.count++;
  if (row === index.type.length) grow(index);
  index.type[row] = record.type;
  index.flags[row] = record.flags;
  index.parent[row] = record.parent;
  index.offset[row] = record.offset;
  index.length[row] = record.length;
  index.line[row] = record.line;
  index.time[row] = record.time;
  index.response[row] = record.response;
  index.body[row] = record.body;
  index.body_length[row] = record.body_length;
  index.subtype[row] = subtypeCode(index.subtypes, record.subtype);
  if (record.parent === LOST) index.lost.set(row, record.parent_id ?? "");
  if (record.id === undefined) addKey(index.ids);
  else addId(index.ids, record.id);
  return row;
}

const MOST_SUBTYPES = 0xffff;

function subtypeCode(subtypes: string[], subtype: string | undefined): number {
  if (subtype === undefined) return 0;
  const code = subtypes.indexOf(subtype);
  if (code >= 0) return code;
  return subtypes.length < MOST_SUBTYPES ? subtypes.push(subtype) - 1 : 0;
}

/** The row of the record that has an id, or -1. */
export function rowOf({ ids }: RecordIndex, id: string | undefined): number {
  return id === undefined ? -1 : rowOfId(ids, id);
}

/** The id of a record. */
export function recordId({ ids }: RecordIndex, row: number): string {
  return idOfRow(ids, row);
}

/** The subtype of a record, or the type of its attachment. */
export function subtypeOf({ subtype, subtypes }: RecordIndex, row: number): string | undefined {
  return subtypes[subtype[row] as number] || undefined;
}

/** What kind of a record it is, in words. */
export function recordName(index: RecordIndex, row: number): string {
  const type = index.passing_types.get(row) ?? RECORD_TYPES[index.type[row] as number] ?? "";
  const subtype = subtypeOf(index, row);
  return subtype === undefined ? type : `${type}/${subtype}`;
}

/** True where a record has a flag. */
export function hasFlag({ flags }: RecordIndex, row: number, flag: number): boolean {
  return ((flags[row] as number) & flag) !== 0;
}

/** True for a record that is said by someone. */
export function isSpoken(index: RecordIndex, row: number): boolean {
  return (index.type[row] as number) <= ASSISTANT && !hasFlag(index, row, DAMAGED);
}

/** True for a record that stands in the tree: no mere link, and not one that was written again. */
export function isInTree(index: RecordIndex, row: number): boolean {
  return index.type[row] !== PASSING && !hasFlag(index, row, REPEATED);
}

/** The time of a record in ISO 8601, if it has one. */
export function timeOf({ time }: RecordIndex, row: number): string | undefined {
  const ms = time[row] as number;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** True if any record is damaged. */
export function isDamaged({ count, flags }: RecordIndex): boolean {
  for (let row = 0; row < count; row++) if (((flags[row] as number) & DAMAGED) !== 0) return true;
  return false;
}
