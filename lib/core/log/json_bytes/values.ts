/**
 * Locates JSON values in bytes: strings, numbers, objects. Only requested values are parsed, and
 * the bytes may end anywhere.
 */
import { hasBytesAt } from "../../event/bytes.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COLON = 0x3a;
/** Maximum bytes of a string to search one by one. In longer strings, `indexOf` is faster. */
const SHORT_STRING = 48;
const LONGEST_PLAIN = 128;

const decoder = new TextDecoder();

export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d) at++;
  return at;
}

/**
 * Returns the index after the closing quote of the string whose text begins at `start`. Returns
 * `end` if the string is not closed before `end`.
 */
export function stringEnd(bytes: Uint8Array, start: number, end = bytes.length): number {
  let at = start;
  const near = Math.min(end, start + SHORT_STRING);
  while (at < near) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  while (at < end) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0 || quote >= end) return end;
    let slashes = quote;
    while (slashes > at && bytes[slashes - 1] === BACKSLASH) slashes--;
    at = quote + 1;
    if ((quote - slashes) % 2 === 0) return at;
  }
  return end;
}

/** Returns the index after the value that begins at `start`, or `start` if there is no value. */
export function valueEnd(bytes: Uint8Array, start: number, end = bytes.length): number {
  const first = bytes[start];
  if (first === QUOTE) return stringEnd(bytes, start + 1, end);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return wordEnd(bytes, start, end);
  let depth = 0;
  let at = start;
  while (at < end) {
    const byte = bytes[at++] as number;
    if (byte === QUOTE) at = stringEnd(bytes, at, end);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) break;
  }
  return at;
}

/** Returns the index after a number or literal. A torn value ends where the next record starts. */
function wordEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && ENDS_WORD[bytes[at] as number] === 0) at++;
  return at;
}

const ENDS_WORD = new Uint8Array(256).fill(1, 0, 0x21);
for (const byte of [COMMA, COLON, QUOTE, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY]) {
  ENDS_WORD[byte] = 1;
}

/** Returns the text of the quoted string from `start` to `end`. Undefined if it is malformed. */
export function textAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (bytes[start] !== QUOTE || end - start < 2 || bytes[end - 1] !== QUOTE) return undefined;
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

export function countAt(bytes: Uint8Array, start: number, end: number): number | undefined {
  let value = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < ZERO || byte > NINE) return undefined;
    value = value * 10 + byte - ZERO;
  }
  return end > start ? value : undefined;
}

export function standsAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  return at >= 0 && hasBytesAt(bytes, text, at);
}

const STRIDE = 5;

/**
 * True if the last byte and every 5th byte at offset `at` equal those of `text`. Use it only for
 * field names and punctuation that are the same in every line.
 */
export function standsLike(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  const last = text.length - 1;
  if (at < 0 || bytes[at + last] !== text[last]) return false;
  for (let index = 0; index < last; index += STRIDE) {
    if (bytes[at + index] !== text[index]) return false;
  }
  return true;
}

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
