/**
 * Finds fields of a JSON object in its bytes. This is cheaper than `JSON.parse`, which would create
 * the whole object.
 */
import { skipSpace, stringEnd, valueEnd } from "./values.ts";

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;

const encoder = new TextEncoder();

/** A hash table of the names of fields to find, with the spans that were found last. */
export interface FieldTable {
  readonly keys: readonly Uint8Array[];
  /**
   * Index of the key in the slot of its hash, or -1 for an empty slot. A key that collides is in
   * the next empty slot.
   */
  readonly slots: Int8Array;
  /** Start and end of each field's value, or -1 if not found. The array is reused per object. */
  readonly spans: Int32Array;
}

export type WalkStop =
  | "end"
  /**
   * Stops at the first object or list. If that is the value of a wanted field, the field's span is
   * empty, at the value's start.
   */
  | "nested"
  /** Stops once all fields of the table are found. */
  | "found";

const SLOT_COUNT = 64;

/** Makes a table of up to 32 names. */
export function fieldTable(...names: string[]): FieldTable {
  const keys = names.map((name) => encoder.encode(name));
  const slots = new Int8Array(SLOT_COUNT).fill(-1);
  for (const [index, key] of keys.entries()) {
    let slot = slotOf(key, 0, key.length);
    while (slots[slot] !== -1) slot = (slot + 1) % SLOT_COUNT;
    slots[slot] = index;
  }
  return { keys, slots, spans: new Int32Array(2 * names.length).fill(-1) };
}

export function clearFields({ spans }: FieldTable): void {
  spans.fill(-1);
}

/**
 * Walks an object's fields, and stores the byte ranges of wanted fields in `table.spans`. `start`
 * is after the opening brace or a value. Keeps stored ranges, unless a field occurs again.
 *
 * @returns The index after the object, or the index of the byte at which the walk stops. -1 if the
 * bytes are no object, or end too early.
 */
export function walkFields(
  bytes: Uint8Array,
  table: FieldTable,
  start: number,
  end: number,
  stop: WalkStop,
): number {
  const { keys, spans } = table;
  let missing = stop === "found" ? keys.length : Infinity;
  let at = skipSpace(bytes, start);
  if (at < end && bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  while (at < end && bytes[at] === QUOTE) {
    const key = at + 1;
    const key_end = stringEnd(bytes, key, end);
    at = skipSpace(bytes, key_end);
    if (bytes[at] !== COLON) return -1;
    const value = skipSpace(bytes, at + 1);
    const found = keyIndex(table, bytes, key, key_end - 1);
    if (stop === "nested" && (bytes[value] === OPEN_OBJECT || bytes[value] === OPEN_ARRAY)) {
      if (found >= 0) spans[2 * found] = spans[2 * found + 1] = value;
      return value < end ? value : -1;
    }
    const after = valueEnd(bytes, value, end);
    at = skipSpace(bytes, after);
    // A value without a proper end may be cut off, and closed by a glued line.
    if (after === value || (bytes[at] !== COMMA && bytes[at] !== CLOSE_OBJECT)) return -1;
    if (found >= 0) {
      if (spans[2 * found] === -1) missing--;
      spans[2 * found] = value;
      spans[2 * found + 1] = after;
    }
    if (bytes[at] !== COMMA || missing === 0) break;
    at = skipSpace(bytes, at + 1);
  }
  if (at < end && bytes[at] === CLOSE_OBJECT) return at + 1;
  return missing === 0 ? at : -1;
}

function slotOf(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] as number;
  const middle = bytes[(start + end) >> 1] as number;
  const last = bytes[end - 1] as number;
  return (5 * (end - start) + 3 * first + 7 * middle + last) & (SLOT_COUNT - 1);
}

export function keyIndex(
  { keys, slots }: FieldTable,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (end <= start) return -1;
  let slot = slotOf(bytes, start, end);
  for (let index = slots[slot] as number; index >= 0; index = slots[slot] as number) {
    const key = keys[index] as Uint8Array;
    let at = 0;
    if (key.length === end - start) {
      while (at < key.length && bytes[start + at] === key[at]) at++;
      if (at === key.length) return index;
    }
    slot = (slot + 1) & (SLOT_COUNT - 1);
  }
  return -1;
}
