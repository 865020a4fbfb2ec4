/**
 * Finds where characters stand in a form that a needle does not have: as `\uXXXX`, escaped once or
 * more, or as the Kelvin sign and the long s, which are a K and an s. Pure.
 */

/** Which code units to find. */
export type EscapeSearch = ReadonlySet<number>;

const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
/** The last byte of a sign that is a letter in another case, and those before it. */
const SIGNS = [
  { unit: 0x212a, last: 0xaa, before: [0x84, 0xe2] },
  { unit: 0x17f, last: 0xbf, before: [0xc5] },
] as const;

/** The value of a hexadecimal digit; 16 for what may stand in an escape besides, 17 for all else. */
const DIGITS = new Uint8Array(256).fill(17);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}
DIGITS[BACKSLASH] = 16;
DIGITS[SMALL_U] = 16;

/** Bytes of `\uXXXX`. */
export const ESCAPE_BYTES = 6;

/** The first place from `start` on where one of the units stands in another form; -1 if none. */
export function findEscape(units: EscapeSearch, bytes: Uint8Array, start = 0): number {
  let found = findEscaped(units, bytes, start);
  for (const { unit, last, before } of SIGNS) {
    if (!units.has(unit)) continue;
    const at = findSign(bytes, start, last, before);
    if (at >= 0 && (found < 0 || at < found)) found = at;
  }
  return found;
}

/** Of six bytes in a row that are an escape, each one is a backslash, a `u` or a digit. */
function findEscaped(units: EscapeSearch, bytes: Uint8Array, start: number): number {
  const end = bytes.length;
  for (let at = start + ESCAPE_BYTES - 1; at < end; at += ESCAPE_BYTES) {
    if (DIGITS[bytes[at] as number] as number > 16) continue;
    const first = escapeAround(bytes, at);
    if (first < start) continue;
    const unit = unitAt(bytes, first);
    if (unit >= 0 && units.has(unit)) return first;
  }
  return -1;
}

/** Where an escape begins that has the byte at `at`; -1 where there is none. */
function escapeAround(bytes: Uint8Array, at: number): number {
  let back = at;
  while (back > at - 4 && DIGITS[bytes[back] as number] as number < 16) back--;
  if (bytes[back] === SMALL_U && bytes[back - 1] === BACKSLASH) return back - 1;
  return bytes[back] === BACKSLASH && bytes[back + 1] === SMALL_U ? back : -1;
}

/** The code unit that is escaped at a place; -1 where it is none. */
function unitAt(bytes: Uint8Array, first: number): number {
  if (first + ESCAPE_BYTES > bytes.length) return -1;
  let value = 0;
  for (let index = first + 2; index < first + ESCAPE_BYTES; index++) {
    const digit = DIGITS[bytes[index] as number] as number;
    if (digit >= 16) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function findSign(
  bytes: Uint8Array,
  start: number,
  last: number,
  before: readonly number[],
): number {
  for (let at = bytes.indexOf(last, start); at >= 0; at = bytes.indexOf(last, at + 1)) {
    if (before.every((byte, index) => bytes[at - 1 - index] === byte)) return at - before.length;
  }
  return -1;
}
