/**
 * The records of a file that form a tree, in columns of numbers: type, parent and position. A
 * session of 250 MB has a quarter of a million records. Objects would need too much memory.
 */
import type { RecordPlace } from "../records/records_at.ts";
import { addId, addKey, emptyIds, idOfRow, isIdOf, type RecordIds, rowOfId } from "./record_ids.ts";

/** Flag of a damaged line, of which only the parent is known. */
export const DAMAGED = 1;
/** Flag of a record that was taken from a damaged line. */
export const SALVAGED = 2;
/** Flag of a row that is skipped: a later record has its id, or it only continues a record. */
export const REPEATED = 4;
/** Flag of a record that is not part of the dialogue, and only links its child to its parent. */
export const LINK = 8;
/** The lowest flag that a format may define itself. */
export const FIRST_OWN_FLAG = 16;

/** The value of `parent` for a record without a parent. `LOST`: the parent is not in the file. */
export const ROOT = -1;
export const LOST = -2;

/** The records of a file with their parents, as columns with a value per row, in file order. */
export interface TreeIndex<Head = unknown> {
  /** Facts about the whole file. The format defines their type and content. */
  readonly head: Head;
  count: number;
  ids: RecordIds;
  /** The type's index in `types`. `subtype` is an index in `subtypes`, where 0 means none. */
  type: Uint16Array;
  subtype: Uint16Array;
  flags: Uint8Array;
  parent: Int32Array;
  offset: Float64Array;
  length: Int32Array;
  line: Int32Array;
  /** The record's time in milliseconds since 1970, or NaN. */
  time: Float64Array;
  /** The number of the answer that the record is a part of. 0 for none. */
  answer: Float64Array;
  /** Offset of the message within the record. 0 if the rest of the record must be read, too. */
  body: Int32Array;
  body_length: Int32Array;
  readonly types: string[];
  readonly subtypes: string[];
  /** A row whose record was parsed and found whole, or -1. */
  whole_row: number;
  /** Ids of parents that are not in the file, by the row that names them. */
  readonly lost: Map<number, string>;
  /** Fallback parents. Maps the first row after damage to the last leaf before the damage. */
  readonly bridges: Map<number, number>;
  /** The rows of the further pieces of a record, by the row of its first piece. */
  readonly pieces: Map<number, number[]>;
}

export type RecordIndex = TreeIndex<unknown>;

export interface NewRecord {
  /** The record's id. Absent if the id was read into `RecordIds.key`. */
  id: string | undefined;
  type: number;
  subtype: string | undefined;
  flags: number;
  /** The parent's row, {@linkcode ROOT}, or {@linkcode LOST} if `parent_id` is not found yet. */
  parent: number;
  /** The parent's id. Absent if the record names none: the parent is then the previous record. */
  parent_id: string | undefined;
  offset: number;
  length: number;
  line: number;
  time: number;
  answer: number;
  body: number;
  body_length: number;
}

export function emptyRecord(): NewRecord {
  return {
    ...{ id: undefined, type: 0, subtype: undefined, flags: 0, parent: ROOT, parent_id: undefined },
    ...{ offset: 0, length: 0, line: 0, time: NaN, answer: 0, body: 0, body_length: 0 },
  };
}

const FIRST_ROWS = 16;

export function emptyIndex<Head>(
  head: Head,
  types: readonly string[] = [],
  rows = FIRST_ROWS,
): TreeIndex<Head> {
  return {
    head,
    count: 0,
    ids: emptyIds(rows),
    type: new Uint16Array(rows),
    subtype: new Uint16Array(rows),
    flags: new Uint8Array(rows),
    parent: new Int32Array(rows),
    offset: new Float64Array(rows),
    length: new Int32Array(rows),
    line: new Int32Array(rows),
    time: new Float64Array(rows),
    answer: new Float64Array(rows),
    body: new Int32Array(rows),
    body_length: new Int32Array(rows),
    types: [...types],
    subtypes: [""],
    whole_row: -1,
    lost: new Map(),
    bridges: new Map(),
    pieces: new Map(),
  };
}

const COLUMNS = [
  "type",
  "subtype",
  "flags",
  "parent",
  "offset",
  "length",
  "line",
  "time",
  "answer",
  "body",
  "body_length",
] as const;

type Column = Uint8Array | Uint16Array | Int32Array | Float64Array;

function grow(index: RecordIndex): void {
  for (const name of COLUMNS) {
    const column: Column = index[name];
    const make = column.constructor as new (buffer: ArrayBufferLike) => Column;
    // `transfer` frees the old memory at once. A copy would leave it to the garbage collector.
    const buffer = (column.buffer as ArrayBuffer).transfer(2 * column.byteLength);
    Object.assign(index, { [name]: new make(buffer) });
  }
}

function addRecord(index: RecordIndex, record: NewRecord): number {
  const row = index.count++;
  if (row === index.type.length) grow(index);
  index.type[row] = record.type;
  index.subtype[row] = record.subtype === undefined ? 0 : codeOf(index.subtypes, record.subtype);
  index.flags[row] = record.flags;
  index.parent[row] = record.parent;
  index.offset[row] = record.offset;
  index.length[row] = record.length;
  index.line[row] = record.line;
  index.time[row] = record.time;
  index.answer[row] = record.answer;
  index.body[row] = record.body;
  index.body_length[row] = record.body_length;
  if (record.parent === LOST) index.lost.set(row, record.parent_id ?? "");
  if (record.id === undefined) addKey(index.ids);
  else addId(index.ids, record.id);
  return row;
}

/**
 * Adds a record, after looking up its parent, and returns its row. If `record.id` is absent, the
 * scanner has already looked up the parent.
 */
export function addLinked(index: RecordIndex, record: NewRecord): number {
  if (record.parent === LOST && record.id !== undefined) {
    const { parent_id } = record;
    const parent = parent_id === undefined ? index.count - 1 : lastRowOf(index, parent_id);
    if (parent >= 0) record.parent = parent;
    else if (parent_id === undefined) record.parent = ROOT;
  }
  return addRecord(index, record);
}

/** Returns the last row with an id, or -1. Checks the newest row first, which often has the id. */
function lastRowOf({ ids, count }: RecordIndex, id: string): number {
  const is_last = count > 0 && isIdOf(ids, count - 1, id) && !ids.joined.has(count - 1);
  return is_last ? count - 1 : rowOfId(ids, id);
}

const MOST_NAMES = 0xffff;

/** Returns the index of a name, which is added if it is new. 0 if there are too many names. */
export function codeOf(names: string[], name: string): number {
  const code = names.indexOf(name);
  if (code >= 0) return code;
  return names.length < MOST_NAMES ? names.push(name) - 1 : 0;
}

export function rowOf({ ids }: RecordIndex, id: string | undefined): number {
  return id === undefined ? -1 : rowOfId(ids, id);
}

export function recordId({ ids }: RecordIndex, row: number): string {
  return idOfRow(ids, row);
}

export function subtypeOf({ subtype, subtypes }: RecordIndex, row: number): string | undefined {
  return subtypes[subtype[row] as number] || undefined;
}

export function recordName(index: RecordIndex, row: number): string {
  const type = index.types[index.type[row] as number] ?? "";
  const subtype = subtypeOf(index, row);
  return subtype === undefined ? type : `${type}/${subtype}`;
}

export function hasFlag({ flags }: RecordIndex, row: number, flag: number): boolean {
  return ((flags[row] as number) & flag) !== 0;
}

/** True for a record of the dialogue, unless another record with the same id replaces it. */
export function isInTree(index: RecordIndex, row: number): boolean {
  return !hasFlag(index, row, LINK | REPEATED);
}

/** True if some record has a flag in `mask`. By default, true if some line is damaged. */
export function isDamaged({ count, flags }: RecordIndex, mask = DAMAGED): boolean {
  for (let row = 0; row < count; row++) if (((flags[row] as number) & mask) !== 0) return true;
  return false;
}

/** True if some line is damaged, even if its records were salvaged. */
export function hasDamage(index: RecordIndex): boolean {
  return isDamaged(index, DAMAGED | SALVAGED);
}

export function rowPlace(index: RecordIndex, row: number): RecordPlace {
  const { offset, length, line } = index;
  return {
    offset: offset[row] as number,
    length: length[row] as number,
    line: line[row] as number,
    salvaged: hasFlag(index, row, SALVAGED) || undefined,
  };
}

/** Returns the row of a record's first piece, or the row itself if the record is one piece. */
export function hostOf({ pieces, ids }: RecordIndex, row: number): number {
  if (!ids.joined.has(row)) return row;
  for (const [first, others] of pieces) if (others.includes(row)) return first;
  return row;
}
