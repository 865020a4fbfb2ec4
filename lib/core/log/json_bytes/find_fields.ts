/**
 * Finds fields of a JSON object in a part of its bytes. For example, a record's type, id and parent
 * are found in its first and last bytes. The bytes may end anywhere.
 */
import { clearFields, type FieldTable, fieldTable, keyIndex, walkFields } from "./object_fields.ts";
import { skipSpace, textAt } from "./values.ts";

const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const place: FieldPlace = { key: 0, key_end: 0, value: 0 };

/** Start and end of each field's value, in the order of the names. Both are -1 if it is absent. */
export type FieldSpans = Int32Array;

export type FieldNames = FieldTable;

export const fieldNames = fieldTable;

/**
 * Finds the fields of the object that begins at `start`. Stops as soon as all are found or the
 * bytes are no object. The spans are valid until the next call with the same names.
 */
export function findFields(bytes: Uint8Array, names: FieldNames, start = 0): FieldSpans {
  return find(bytes, names, start, "found");
}

/**
 * Finds the fields before the first value that is an object or list. If this value belongs to a
 * wanted field, the field's span is empty, at the value's start.
 */
export function findFirstFields(bytes: Uint8Array, names: FieldNames, start = 0): FieldSpans {
  return find(bytes, names, start, "nested");
}

function find(
  bytes: Uint8Array,
  names: FieldNames,
  start: number,
  stop: "found" | "nested",
): FieldSpans {
  clearFields(names);
  const at = skipSpace(bytes, start);
  if (bytes[at] === OPEN_OBJECT) walkFields(bytes, names, at + 1, bytes.length, stop);
  return names.spans;
}

/**
 * Finds simple values at the end of an object: `…,"uuid":"…","timestamp":"…"}`. The bytes must end
 * with the object. Stops at the first value that is not simple. Keeps spans found earlier.
 */
export function findLastFields(bytes: Uint8Array, names: FieldNames): FieldSpans {
  const { spans } = names;
  let at = bytes.length - 1;
  if (bytes[at] !== CLOSE_OBJECT) return spans;
  while (readFieldBefore(bytes, at, 0, place)) {
    const { key, key_end, value } = place;
    const found = keyIndex(names, bytes, key, key_end);
    if (found >= 0 && spans[2 * found] === -1) {
      spans[2 * found] = value;
      spans[2 * found + 1] = at;
    }
    if (bytes[key - 2] !== COMMA) break;
    at = key - 2;
  }
  return spans;
}

/** Returns the text of the field at `index`. Undefined if it is absent, cut off or no string. */
export function textField(
  bytes: Uint8Array,
  spans: FieldSpans,
  index: number,
): string | undefined {
  const start = spans[2 * index] as number;
  const end = spans[2 * index + 1] as number;
  return start < 0 ? undefined : textAt(bytes, start, end);
}

export function fieldStart(spans: FieldSpans, index: number): number {
  return spans[2 * index] as number;
}

export function fieldIs(
  bytes: Uint8Array,
  spans: FieldSpans,
  index: number,
  literal: string,
): boolean {
  const start = spans[2 * index] as number;
  if (start < 0) return false;
  for (let at = 0; at < literal.length; at++) {
    if (bytes[start + at] !== literal.charCodeAt(at)) return false;
  }
  return true;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Indexes of the parts of a field. The object is reused for each field. */
export interface FieldPlace {
  /** Index of the first byte of the name, after its opening quote. */
  key: number;
  /** Index of the name's closing quote. */
  key_end: number;
  value: number;
}

/**
 * Reads the field whose value ends before the index `end`. Reads no byte before the index `least`.
 * The value is a string without escapes, a number, a literal, or a list of numbers and literals.
 *
 * @returns False if it is not certain that such a field is there.
 */
export function readFieldBefore(
  bytes: Uint8Array,
  end: number,
  least: number,
  place: FieldPlace,
): boolean {
  const value = bytes[end - 1] === QUOTE
    ? quoteBefore(bytes, end - 2, least)
    : wordStart(bytes, end - 1, least);
  const key_end = value - 2;
  if (value === end || key_end <= least || bytes[value - 1] !== COLON || bytes[key_end] !== QUOTE) {
    return false;
  }
  const quote = quoteBefore(bytes, key_end - 1, least);
  if (quote < 0 || bytes[quote - 1] === BACKSLASH) return false;
  place.key = quote + 1;
  place.key_end = key_end;
  place.value = value;
  return true;
}

function quoteBefore(bytes: Uint8Array, last: number, least: number): number {
  for (let at = last; at >= least; at--) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) return -1;
  }
  return -1;
}

/** Returns the index at which a number or literal begins. -1 if a string or object comes first. */
function wordStart(bytes: Uint8Array, last: number, least: number): number {
  for (let at = last; at >= least; at--) {
    const byte = bytes[at];
    if (byte === COLON) return at + 1;
    if (byte === QUOTE || byte === CLOSE_OBJECT) return -1;
  }
  return -1;
}
