/**
 * Finds fields of a JSON object on its bytes, without parsing the rest of it: to tell a record's
 * type, id and parent costs a look at its first bytes, where `JSON.parse` would make all of it.
 * The bytes may end anywhere.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
/** A string longer than this is searched by `indexOf`, which is faster but slower to begin. */
const SHORT_STRING = 48;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Where fields' values lie: a start and an end for each name, or -1 where there is none. */
export type FieldSpans = Int32Array;

/** The names of fields to find, made ready. */
export interface FieldNames {
  readonly keys: readonly Uint8Array[];
  /** Reused from line to line. */
  readonly spans: FieldSpans;
}

/** Makes names ready to be found. */
export function fieldNames(...names: string[]): FieldNames {
  const keys = names.map((name) => encoder.encode(name));
  return { keys, spans: new Int32Array(2 * names.length) };
}

/**
 * Finds the fields of the object that begins at `start`. The spans are valid until the next call
 * with the same names. It ends as soon as all are found, and where the bytes stop being an object.
 */
export function findFields(bytes: Uint8Array, names: FieldNames, start = 0): FieldSpans {
  names.spans.fill(-1);
  return scanFields(bytes, names, start, false);
}

/**
 * Finds the fields that stand before the first object or list. Of that one, if it was asked for, the
 * span is where it begins, and empty.
 */
export function findFirstFields(bytes: Uint8Array, names: FieldNames, start = 0): FieldSpans {
  names.spans.fill(-1);
  return scanFields(bytes, names, start, true);
}

/**
 * Finds, beside those that were found, the fields with simple texts that end an object that ends with
 * the bytes: `…,"uuid":"…","timestamp":"…"}`. What stands before them is not looked at.
 */
export function findLastFields(bytes: Uint8Array, names: FieldNames): FieldSpans {
  const { keys, spans } = names;
  let at = bytes.length - 1;
  if (bytes[at] !== CLOSE_OBJECT) return spans;
  while (bytes[at - 1] === QUOTE) {
    const end = at;
    const value = openingQuote(bytes, end - 2);
    if (value < 0 || bytes[value - 1] !== COLON || bytes[value - 2] !== QUOTE) break;
    const key = openingQuote(bytes, value - 3);
    if (key < 0) break;
    const found = keyIndex(bytes, key + 1, value - 2, keys);
    if (found >= 0 && spans[2 * found] === -1) {
      spans[2 * found] = value;
      spans[2 * found + 1] = end;
    }
    if (bytes[key - 1] !== COMMA) break;
    at = key - 1;
  }
  return spans;
}

/** Index of the quote before `start` that opens a text without escapes; -1 where that is not sure. */
function openingQuote(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at >= 0 && bytes[at] !== QUOTE) {
    if (bytes[at] === BACKSLASH) return -1;
    at--;
  }
  return at > 0 && bytes[at - 1] !== BACKSLASH ? at : -1;
}

function scanFields(
  bytes: Uint8Array,
  names: FieldNames,
  start: number,
  shallow: boolean,
): FieldSpans {
  const { keys, spans } = names;
  let missing = keys.length;
  let at = skipSpace(bytes, start);
  if (bytes[at] !== OPEN_OBJECT) return spans;
  at = skipSpace(bytes, at + 1);
  while (bytes[at] === QUOTE && missing > 0) {
    const key = at + 1;
    const end = stringEnd(bytes, key);
    at = skipSpace(bytes, end);
    if (bytes[at] !== COLON) break;
    const value = skipSpace(bytes, at + 1);
    const found = keyIndex(bytes, key, end - 1, keys);
    if (shallow && (bytes[value] === OPEN_OBJECT || bytes[value] === OPEN_ARRAY)) {
      if (found >= 0) spans[2 * found] = spans[2 * found + 1] = value;
      break;
    }
    const after = valueEnd(bytes, value);
    at = skipSpace(bytes, after);
    // What nothing proper follows may be cut off, and closed by what was glued to it.
    if (bytes[at] !== COMMA && bytes[at] !== CLOSE_OBJECT) break;
    if (found >= 0) {
      if (spans[2 * found] === -1) missing--;
      spans[2 * found] = value;
      spans[2 * found + 1] = after;
    }
    if (bytes[at] !== COMMA) break;
    at = skipSpace(bytes, at + 1);
  }
  return spans;
}

/** The text of the field with this index; undefined when it is absent, cut off, or no string. */
export function textField(
  bytes: Uint8Array,
  spans: FieldSpans,
  index: number,
): string | undefined {
  const start = spans[2 * index] as number;
  const end = spans[2 * index + 1] as number;
  if (start < 0 || bytes[start] !== QUOTE || end - start < 2 || bytes[end - 1] !== QUOTE) {
    return undefined;
  }
  const inner = bytes.subarray(start + 1, end - 1);
  if (isPlain(inner)) return plainText(inner);
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes.subarray(start, end)));
    return typeof value === "string" ? value : undefined;
  } catch {
    // SyntaxError: the string is broken.
    return undefined;
  }
}

/** Where the value of the field with this index begins; -1 where there is none. */
export function fieldStart(spans: FieldSpans, index: number): number {
  return spans[2 * index] as number;
}

/** Whether the field with this index is there and begins with these bytes. */
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

const LONGEST_PLAIN = 128;

function isPlain(bytes: Uint8Array): boolean {
  if (bytes.length > LONGEST_PLAIN) return false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === BACKSLASH || byte < 0x20 || byte > 0x7e) return false;
  }
  return true;
}

function plainText(bytes: Uint8Array): string {
  return String.fromCharCode.apply(null, bytes as unknown as number[]);
}

function keyIndex(
  bytes: Uint8Array,
  start: number,
  end: number,
  keys: readonly Uint8Array[],
): number {
  const length = end - start;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as Uint8Array;
    if (key.length !== length) continue;
    let at = 0;
    while (at < length && bytes[start + at] === key[at]) at++;
    if (at === length) return index;
  }
  return -1;
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d) at++;
  return at;
}

/** Index behind the closing quote of a string whose text begins at `start`, or the end of the bytes. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  const near = Math.min(bytes.length, start + SHORT_STRING);
  while (at < near) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  while (at < bytes.length) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return bytes.length;
    let slashes = quote;
    while (slashes > at && bytes[slashes - 1] === BACKSLASH) slashes--;
    at = quote + 1;
    if ((quote - slashes) % 2 === 0) return at;
  }
  return bytes.length;
}

/** Index behind the value that begins at `start`; `start` itself, where none does. */
function valueEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return stringEnd(bytes, start + 1);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return wordEnd(bytes, start);
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at++] as number;
    if (byte === QUOTE) at = stringEnd(bytes, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) break;
  }
  return at;
}

/** Index behind a number or a literal. */
function wordEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= 0x20) break;
    at++;
  }
  return at;
}
