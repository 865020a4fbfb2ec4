/**
 * Maps the ids of a file's records to rows. A UUID takes 16 bytes and a slot, where a map of
 * strings takes 150. Ids of other forms are stored as texts.
 */

export interface RecordIds {
  /** The ids that are UUIDs: 16 bytes for each row, zeros for an id of another form. */
  keys: Uint8Array;
  /** Hash table of rows by UUID, with open addressing. An empty slot is -1. */
  slots: Int32Array;
  /** Rows by id, for ids that are not UUIDs. `names` maps the rows back to the ids. */
  readonly rows_by_name: Map<string, number>;
  readonly names: Map<number, string>;
  count: number;
  /**
   * Number of rows in the hash table. It stays 0 until an id is looked up. Most sessions need no
   * lookup, because each record's parent is the record before it.
   */
  built: number;
  /** Maps a row to the later row that has the same id and replaces it. */
  readonly replaced: Map<number, number>;
  /** Rows that continue an earlier row's record, and share its id. A lookup by id skips them. */
  readonly joined: Set<number>;
  readonly key: Uint8Array;
}

const KEY_BYTES = 16;
export const UUID_LENGTH = 36;
const FIRST_SLOTS = 32;

export function emptyIds(rows: number): RecordIds {
  return {
    keys: new Uint8Array(rows * KEY_BYTES),
    slots: new Int32Array(FIRST_SLOTS).fill(-1),
    rows_by_name: new Map(),
    names: new Map(),
    count: 0,
    built: 0,
    replaced: new Map(),
    joined: new Set(),
    key: new Uint8Array(KEY_BYTES),
  };
}

const NO_DIGIT = 255;
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, digit] of [..."0123456789abcdef"].entries()) DIGITS[digit.charCodeAt(0)] = value;
const DASH = 0x2d;

/** Reads the UUID at offset `at` into `key`. Returns false if there is none. */
export function readKey({ key }: RecordIds, bytes: Uint8Array, at: number): boolean {
  let from = at;
  for (let index = 0; index < KEY_BYTES; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) {
      if (bytes[from++] !== DASH) return false;
    }
    const high = DIGITS[bytes[from] as number] as number;
    const low = DIGITS[bytes[from + 1] as number] as number;
    // Past the end of the bytes both are undefined.
    if (!((high | low) < 16)) return false;
    key[index] = (high << 4) | low;
    from += 2;
  }
  return true;
}

function readName(ids: RecordIds, name: string): boolean {
  if (name.length !== UUID_LENGTH) return false;
  for (let at = 0; at < UUID_LENGTH; at++) scratch[at] = Math.min(name.charCodeAt(at), 0xff);
  return readKey(ids, scratch, 0);
}

const scratch = new Uint8Array(UUID_LENGTH);

/** Adds the UUID in `ids.key` as the id of a new row. */
export function addKey(ids: RecordIds): void {
  const start = KEY_BYTES * ids.count++;
  if (start + KEY_BYTES > ids.keys.length) {
    ids.keys = new Uint8Array((ids.keys.buffer as ArrayBuffer).transfer(2 * ids.keys.length));
  }
  ids.keys.set(ids.key, start);
}

export function addId(ids: RecordIds, id: string): void {
  if (!readName(ids, id)) {
    ids.key.fill(0);
    ids.names.set(ids.count, id);
  }
  addKey(ids);
}

export function isKeyOf({ keys, key, names }: RecordIds, row: number): boolean {
  return areEqual(keys, KEY_BYTES * row, key, 0) && (names.size === 0 || !names.has(row));
}

export function isIdOf(ids: RecordIds, row: number, id: string): boolean {
  return readName(ids, id) ? isKeyOf(ids, row) : ids.names.get(row) === id;
}

/** Returns the last row whose id is `key`, or -1. */
export function rowOfKey(ids: RecordIds): number {
  build(ids);
  return ids.slots[slotOf(ids, ids.key, 0)] as number;
}

/** Returns the last row with an id, or -1. */
export function rowOfId(ids: RecordIds, id: string): number {
  build(ids);
  if (!readName(ids, id)) return ids.rows_by_name.get(id) ?? -1;
  return ids.slots[slotOf(ids, ids.key, 0)] as number;
}

export function idOfRow({ keys, names }: RecordIds, row: number): string {
  const name = names.get(row);
  return name ?? formatKey(keys.subarray(KEY_BYTES * row, KEY_BYTES * (row + 1)));
}

/** Returns `key`, the UUID read last, as text. */
export function keyText({ key }: RecordIds): string {
  return formatKey(key);
}

function formatKey(key: Uint8Array): string {
  let text = "";
  for (let at = 0; at < KEY_BYTES; at++) {
    if (at === 4 || at === 6 || at === 8 || at === 10) text += "-";
    text += (key[at] as number).toString(16).padStart(2, "0");
  }
  return text;
}

/** Adds all rows that are not yet in the hash table. */
export function build(ids: RecordIds): void {
  if (ids.built === ids.count) return;
  while (ids.slots.length < 2 * ids.count) growSlots(ids);
  for (; ids.built < ids.count; ids.built++) {
    const row = ids.built;
    if (ids.joined.has(row)) continue;
    const name = ids.names.get(row);
    let before: number;
    if (name === undefined) {
      const slot = slotOf(ids, ids.keys, KEY_BYTES * row);
      before = ids.slots[slot] as number;
      ids.slots[slot] = row;
    } else {
      before = ids.rows_by_name.get(name) ?? -1;
      ids.rows_by_name.set(name, row);
    }
    if (before >= 0) ids.replaced.set(before, row);
  }
}

function slotOf({ slots, keys }: RecordIds, bytes: Uint8Array, start: number): number {
  const last = slots.length - 1;
  let slot = hashOf(bytes, start) & last;
  for (;;) {
    const row = slots[slot] as number;
    if (row < 0 || areEqual(keys, KEY_BYTES * row, bytes, start)) return slot;
    slot = (slot + 1) & last;
  }
}

function areEqual(keys: Uint8Array, at: number, bytes: Uint8Array, start: number): boolean {
  for (let index = 0; index < KEY_BYTES; index++) {
    if (keys[at + index] !== bytes[start + index]) return false;
  }
  return true;
}

function hashOf(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
  const high = (bytes[at + 12] as number) | ((bytes[at + 13] as number) << 8) |
    ((bytes[at + 14] as number) << 16) | ((bytes[at + 15] as number) << 24);
  // Ids that count up differ in few bits: each must reach the low ones, which choose the slot.
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function growSlots(ids: RecordIds): void {
  const old = ids.slots;
  const slots = new Int32Array(2 * old.length).fill(-1);
  const last = slots.length - 1;
  for (const row of old) {
    if (row < 0) continue;
    let slot = hashOf(ids.keys, KEY_BYTES * row) & last;
    while ((slots[slot] as number) >= 0) slot = (slot + 1) & last;
    slots[slot] = row;
  }
  ids.slots = slots;
}
