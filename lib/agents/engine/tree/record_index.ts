/**
 * The records of a file that form a tree, in columns of numbers: type, parent and place. A session of
 * 250 MB has a quarter of a million records. An object for each would need too much memory.
 */
import type { RecordPlace } from "../records/records_at.ts";
import { addId, addKey, emptyIds, idOfRow, isIdOf, type RecordIds, rowOfId } from "./record_ids.ts";

/** A damaged line: it leads to its parent, and has no content. */
export const DAMAGED = 1;
/** Taken from a damaged line. */
export const SALVAGED = 2;
/** Replaced by another record of the same id: the last one, or the first of its pieces. */
export const REPEATED = 4;
/** Not a record of the talk: only a link from its child to its parent. */
export const LINK = 8;
/** The first flag that a format may define for itself. */
export const FIRST_OWN_FLAG = 16;

/** Parents that are no rows. */
export const ROOT = -1;
export const LOST = -2;

/** The records of a file, and which each follows. All columns are by row, in the order of the file. */
export interface TreeIndex<Head = unknown> {
  /** The format's notes on the file as a whole. */
  readonly head: Head;
  count: number;
  ids: RecordIds;
  /** Index of the type in `types`, and of the subtype in `subtypes`, where 0 is none. */
  type: Uint16Array;
  subtype: Uint16Array;
  flags: Uint8Array;
  /** The row of the parent, {@linkcode ROOT} or {@linkcode LOST}. */
  parent: Int32Array;
  offset: Float64Array;
  length: Int32Array;
  line: Int32Array;
  /** Milliseconds since 1970, or NaN. */
  time: Float64Array;
  /** Names the answer that a record is a piece of; 0 for none. */
  answer: Float64Array;
  /** The offset of the record's body, if that alone has to be read; 0 for the whole record. */
  body: Int32Array;
  body_length: Int32Array;
  readonly types: string[];
  readonly subtypes: string[];
  /** A row whose record was parsed, and is whole; -1 for none. */
  whole_row: number;
  /** Ids of the parents that the file does not hold. */
  readonly lost: Map<number, string>;
  /** The record before damage, by the row behind it. */
  readonly bridges: Map<number, number>;
  /** The other pieces of records that are written in several, by their first. */
  readonly pieces: Map<number, number[]>;
}

/** An index with any head. */
export type RecordIndex = TreeIndex<unknown>;

export interface NewRecord {
  /** Absent where the key was read into the table of ids. */
  id: string | undefined;
  type: number;
  subtype: string | undefined;
  flags: number;
  /** A row, {@linkcode ROOT}, or {@linkcode LOST}, which may be found later, with `parent_id`. */
  parent: number;
  /** Absent for a record that names none: it follows the one before it. */
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

/** Returns an empty index with room for some records. `types` are those with fixed numbers. */
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
    // Its memory is given back at once: a copy would leave it to the garbage collector.
    const buffer = (column.buffer as ArrayBuffer).transfer(2 * column.byteLength);
    Object.assign(index, { [name]: new make(buffer) });
  }
}

/** Adds a record, and returns its row. */
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
 * Adds a record with the parent that it names; returns its row. With a key, its parent was looked
 * for.
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

/** Returns the last row with an id, or -1: nearly always the last of all. */
function lastRowOf({ ids, count }: RecordIndex, id: string): number {
  const is_last = count > 0 && isIdOf(ids, count - 1, id) && !ids.joined.has(count - 1);
  return is_last ? count - 1 : rowOfId(ids, id);
}

const MOST_NAMES = 0xffff;

/** Returns the number of a name, and adds a new one; 0 if there are too many. */
export function codeOf(names: string[], name: string): number {
  const code = names.indexOf(name);
  if (code >= 0) return code;
  return names.length < MOST_NAMES ? names.push(name) - 1 : 0;
}

/** Returns the row of the record with an id, or -1. */
export function rowOf({ ids }: RecordIndex, id: string | undefined): number {
  return id === undefined ? -1 : rowOfId(ids, id);
}

export function recordId({ ids }: RecordIndex, row: number): string {
  return idOfRow(ids, row);
}

export function subtypeOf({ subtype, subtypes }: RecordIndex, row: number): string | undefined {
  return subtypes[subtype[row] as number] || undefined;
}

/** Returns the type of a record, with its subtype behind a slash. */
export function recordName(index: RecordIndex, row: number): string {
  const type = index.types[index.type[row] as number] ?? "";
  const subtype = subtypeOf(index, row);
  return subtype === undefined ? type : `${type}/${subtype}`;
}

export function hasFlag({ flags }: RecordIndex, row: number, flag: number): boolean {
  return ((flags[row] as number) & flag) !== 0;
}

/** True for a record in the tree: no mere link, and not replaced by another. */
export function isInTree(index: RecordIndex, row: number): boolean {
  return !hasFlag(index, row, LINK | REPEATED);
}

/** True if some records have one of these flags: by default, if only a part of them is left. */
export function isDamaged({ count, flags }: RecordIndex, mask = DAMAGED): boolean {
  for (let row = 0; row < count; row++) if (((flags[row] as number) & mask) !== 0) return true;
  return false;
}

/** True if some lines are damaged, even if their records could be salvaged. */
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

/** Returns the first piece of a record that is written in several, else the record. */
export function hostOf({ pieces, ids }: RecordIndex, row: number): number {
  if (!ids.joined.has(row)) return row;
  for (const [first, others] of pieces) if (others.includes(row)) return first;
  return row;
}
