/**
 * Parses JSON so that its numbers can be written again unchanged. Most texts are parsed once. A
 * text is parsed twice only if JavaScript would change one of its numbers.
 */
import { isDeeperThan, MAX_DEPTH } from "./decode.ts";
import { ExactNumber } from "./exact_number.ts";

const [MINUS, PLUS, DOT, COLON, BACKSLASH] = [0x2d, 0x2b, 0x2e, 0x3a, 0x5c];
const [ZERO, NINE, UPPER_E, LOWER_E] = [0x30, 0x39, 0x45, 0x65];
/** Maximum digits of a whole number that JavaScript surely writes as it was read. */
const SAFE_DIGITS = 15;

/** Settings that make {@linkcode parseExact} stricter than `JSON.parse`. */
export interface ParseExactOptions {
  /** True to refuse objects with a duplicate name. JavaScript keeps the last. @default {false} */
  unique_names?: boolean;
}

/**
 * Parses JSON so that `JSON.stringify` writes each number as it stands in the text. A number that
 * JavaScript would write differently becomes an {@linkcode ExactNumber}.
 *
 * @param text The text of one JSON value.
 * @param options Which valid texts to refuse.
 * @returns The value. JavaScript sorts members whose names are array indices, such as `"10"`.
 * @throws {SyntaxError} When the text is not JSON. With `unique_names`, also for a duplicate name.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseExact } from "@reprise/reprise/pipeline";
 *
 * const json = '{"id":1234567890123456789,"ratio":1.0}';
 * assert.equal(JSON.stringify(parseExact(json)), json);
 * ```
 */
export function parseExact(text: string, options: ParseExactOptions = {}): unknown {
  const value: unknown = JSON.parse(text);
  if (options.unique_names === true && repeatsName(value, text)) {
    throw new SyntaxError("an object has a duplicate key");
  }
  return withExactNumbers(value, text);
}

/** True if a text has more members than its parsed value, because a name occurs twice. */
function repeatsName(value: unknown, text: string): boolean {
  // What is too deep is refused anyway.
  if (isDeeperThan(value, MAX_DEPTH)) return false;
  let colons = 0;
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    for (; at < end; at++) if (text.charCodeAt(at) === COLON) colons++;
    if (quote >= 0) at = afterString(text, quote);
  }
  return colons !== countMembers(value);
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + countMembers(member), own);
}

/**
 * Returns the value that `text` was parsed to, with an `ExactNumber` for each number that
 * JavaScript would change.
 */
export function withExactNumbers(value: unknown, text: string): unknown {
  // A reviver calls itself at each level. What is too deep is refused anyway.
  if (!changesNumber(text) || isDeeperThan(value, MAX_DEPTH)) return value;
  return JSON.parse(text, revive);
}

function revive(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined) return value;
  return String(value) === source ? value : new ExactNumber(source);
}

/** True if a value has a number at any depth. Its top-level members in `plain` are skipped. */
export function hasNumber(value: unknown, plain?: ReadonlySet<string>): boolean {
  if (typeof value === "number") return true;
  if (typeof value !== "object" || value === null) return false;
  // Not by `for in` alone, which makes a text of every index.
  if (Array.isArray(value)) return value.some((item) => hasNumber(item));
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member !== "number" && typeof member !== "object") continue;
    if (hasNumber(member) && plain?.has(key) !== true) return true;
  }
  return false;
}

/** True if JavaScript would write a number of a JSON text differently. */
function changesNumber(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    if (changesNumberIn(text, at, end)) return true;
    if (quote < 0) return false;
    at = afterString(text, quote);
  }
  return false;
}

/** Returns the index after the string whose opening quote is at `quote`. */
function afterString(text: string, quote: number): number {
  for (let at = quote + 1;; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
}

/** Does as {@linkcode changesNumber} for a range of the JSON text that contains no string. */
function changesNumberIn(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== MINUS && !isDigit(code)) continue;
    const first = at;
    let whole = code !== MINUS;
    for (at++; at < end; at++) {
      const next = text.charCodeAt(at);
      if (isDigit(next)) continue;
      if (next !== DOT && next !== LOWER_E && next !== UPPER_E && next !== PLUS && next !== MINUS) {
        break;
      }
      whole = false;
    }
    if (whole && at - first <= SAFE_DIGITS) continue;
    const source = text.slice(first, at);
    if (String(Number(source)) !== source) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
