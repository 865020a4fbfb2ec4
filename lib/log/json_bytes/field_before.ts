/**
 * Reads a JSON object backwards, field by field, where its values are simple. A record that ends in
 * `…,"uuid":"…","timestamp":"…"}` is told apart without a look at what stands before.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const CLOSE_OBJECT = 0x7d;

/** Where a field lies. Reused from field to field. */
export interface FieldPlace {
  /** First byte of the name, behind its quote. */
  key: number;
  /** The quote behind the name. */
  key_end: number;
  /** First byte of the value. */
  value: number;
}

/**
 * Reads the field whose value ends before `end`: a string without escapes, a number, a literal, or a
 * list of such numbers and literals. Nothing before `least` is looked at.
 *
 * @returns False where no such field is found for sure.
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

/** Returns the place of the quote at or before `last`; -1 where an escape or `least` comes first. */
function quoteBefore(bytes: Uint8Array, last: number, least: number): number {
  for (let at = last; at >= least; at--) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) return -1;
  }
  return -1;
}

/** Returns where a value without strings and objects begins; -1 where it has such. */
function wordStart(bytes: Uint8Array, last: number, least: number): number {
  for (let at = last; at >= least; at--) {
    const byte = bytes[at];
    if (byte === COLON) return at + 1;
    if (byte === QUOTE || byte === CLOSE_OBJECT) return -1;
  }
  return -1;
}
