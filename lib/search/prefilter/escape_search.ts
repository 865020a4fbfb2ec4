/**
 * Finds characters in a form that a needle lacks: `\uXXXX`, escaped once or more, the Kelvin sign
 * and the long s. The last two fold to K and s.
 */
import type { ByteFinder } from "../../log/byte_finder.ts";
import { textPattern } from "../../log/byte_pattern.ts";

/** Which code units to find. */
export type EscapeSearch = ReadonlySet<number>;

/** Letters whose other case has fewer bytes. */
const SIGNS = [
  { unit: 0x212a, pattern: textPattern("\u212a") },
  { unit: 0x17f, pattern: textPattern("\u017f") },
];
const ESCAPE = textPattern("\\u");

/** Bytes of `\uXXXX`. */
export const ESCAPE_BYTES = 6;

/**
 * The first place from `start` on where one of the units stands in another form, as a whole before
 * `end`; -1 if none.
 */
export function findEscape(
  units: EscapeSearch,
  finder: ByteFinder,
  start: number,
  end: number,
): number {
  let found = findEscaped(units, finder, start, end);
  for (const { unit, pattern } of SIGNS) {
    if (!units.has(unit)) continue;
    const at = finder.find(pattern, start, end);
    if (at >= 0 && (found < 0 || at < found)) found = at;
  }
  return found;
}

function findEscaped(
  units: EscapeSearch,
  finder: ByteFinder,
  start: number,
  end: number,
): number {
  for (let at = finder.find(ESCAPE, start, end); at >= 0; at = finder.find(ESCAPE, at + 2, end)) {
    if (at + ESCAPE_BYTES > end) return -1;
    const unit = unitAt(finder.bytes, at);
    if (unit >= 0 && units.has(unit)) return at;
  }
  return -1;
}

/** The value of a hexadecimal digit; 16 for what is none. */
const DIGITS = new Uint8Array(256).fill(16);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/** The code unit that is escaped at a place; -1 where it is none. */
function unitAt(bytes: Uint8Array, first: number): number {
  let value = 0;
  for (let index = first + 2; index < first + ESCAPE_BYTES; index++) {
    const digit = DIGITS[bytes[index] as number] as number;
    if (digit === 16) return -1;
    value = value * 16 + digit;
  }
  return value;
}
