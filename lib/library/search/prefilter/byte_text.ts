/**
 * Finds white space, words and ends of texts in bytes of JSON. If readers may take bytes in several
 * ways, all ways count. Pure.
 */
import { hasBytesAt } from "../../../core/event/bytes.ts";

export const WHITE_SPACE =
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007" +
  "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
const LAST_ASCII = 0x7f;
const WIDE_SPACES = [...WHITE_SPACE].map((space) => new TextEncoder().encode(space))
  .filter(({ length }) => length > 1);

const [SPACE, BACKSLASH, QUOTE, TAG, SLASH, TAG_END, ESCAPE_U, COLOR_END] = codesOf(' \\"</>um');
const SPACE_ESCAPES = flagsOf("nrtfv");
const LINE_ENDS = flagsOf("nr");
const SIGNS = flagsOf("+-");
const DIGITS = flagsOf("0123456789");
const COLORS = flagsOf("0123456789;[");
const WORD = flagsOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

function codesOf(text: string): number[] {
  return [...text].map((sign) => sign.charCodeAt(0));
}

function flagsOf(signs: string): Uint8Array {
  const flags = new Uint8Array(256);
  for (const code of codesOf(signs)) flags[code] = 1;
  return flags;
}

function has(flags: Uint8Array, byte: number | undefined): boolean {
  return byte !== undefined && flags[byte] === 1;
}

/**
 * True if a text may end at `end`. After white space, a quote must follow at `at`, or a closing
 * tag, because readers may remove tags. The quote may be escaped, as in JSON within JSON.
 */
export function endsText(bytes: Uint8Array, end: number, at: number): boolean {
  if (bytes[at] === QUOTE || (bytes[at] === TAG && bytes[at + 1] === SLASH)) return true;
  let quote = at;
  while (bytes[quote] === BACKSLASH) quote++;
  return end === at && quote > at && bytes[quote] === QUOTE;
}

/** Returns the offset after white space, escaped or not. */
export function behindSpace(bytes: Uint8Array, at: number, end: number): number {
  for (let length = spaceAt(bytes, at); length > 0 && at < end; length = spaceAt(bytes, at)) {
    at += length;
  }
  return at;
}

function spaceAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte === SPACE || (byte >= 0x09 && byte <= 0x0d)) return 1;
  if (byte === BACKSLASH) {
    let letter = at + 1;
    while (bytes[letter] === BACKSLASH) letter++;
    return has(SPACE_ESCAPES, bytes[letter]) ? letter + 1 - at : 0;
  }
  if (byte <= LAST_ASCII) return 0;
  return WIDE_SPACES.find((wide) => hasBytesAt(bytes, wide, at))
    ?.length ??
    0;
}

export function isLeftOut(bytes: Uint8Array, at: number): boolean {
  return LEFT_OUT.some((codes) => hasBytesAt(bytes, codes, at));
}

/** Beginnings of text that readers may omit: colours, and separators between lines of a diff. */
const LEFT_OUT = ["\\u001b", "\\u001B", "@@", "***", "...", "\\\\ "].map((text) =>
  new TextEncoder().encode(text)
);

/** Returns the offset after a diff line's sign, `+` or `-`, and the line number behind it. */
export function behindSign(bytes: Uint8Array, at: number): number {
  if (has(SIGNS, bytes[at])) at++;
  while (bytes[at] === SPACE) at++;
  while (has(DIGITS, bytes[at])) at++;
  while (bytes[at] === SPACE) at++;
  return at;
}

/** True if a line of a text or a diff may begin at an offset. */
export function beginsLine(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (bytes[before] === SPACE || has(DIGITS, bytes[before])) before--;
  if (has(SIGNS, bytes[before])) before--;
  const byte = bytes[before] ?? LAST_ASCII + 1;
  return byte === QUOTE || byte === TAG_END || byte > LAST_ASCII || isEscaped(bytes, before) ||
    isBehindControl(bytes, at);
}

/** True if a control sequence, which readers may omit, ends before an offset. */
function isBehindControl(bytes: Uint8Array, at: number): boolean {
  const before = String.fromCharCode(...bytes.subarray(Math.max(0, at - LONGEST_CONTROL), at));
  return CONTROL.test(before);
}

const LONGEST_CONTROL = 40;
/** Matches an escaped control character, and a terminal's code for a colour or cursor movement. */
const CONTROL = /\\u00[0-9a-f]{2}(?:\[[0-9;:?]*[@-~])?[ +-]*$/i;

/** True if the white space from `at` to `end` includes a line end. */
export function endsLine(bytes: Uint8Array, at: number, end: number): boolean {
  for (let index = at + 1; index < end; index++) {
    if (has(LINE_ENDS, bytes[index]) && bytes[index - 1] === BACKSLASH) return true;
  }
  return false;
}

/** True if the letter at an offset is an escape of white space. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  return has(SPACE_ESCAPES, bytes[at]) && bytes[at - 1] === BACKSLASH;
}

/** True if the text at an offset is certainly the middle of a word. */
export function goesOnBefore(bytes: Uint8Array, at: number): boolean {
  if (!has(WORD, bytes[at]) || !has(WORD, bytes[at - 1]) || isEscaped(bytes, at - 1)) return false;
  // A word may begin after `\u00e9`, and after a colour, which readers may omit.
  const is_unit = bytes[at - 5] === ESCAPE_U && bytes[at - 6] === BACKSLASH;
  return !is_unit && !(bytes[at - 1] === COLOR_END && has(COLORS, bytes[at - 2]));
}

/** True if a word certainly continues at `end`. */
export function goesOnBehind(bytes: Uint8Array, end: number): boolean {
  return has(WORD, bytes[end - 1]) && has(WORD, bytes[end]);
}
