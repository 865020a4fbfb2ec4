/** Searches lines for byte patterns that distinguish kinds of lines, in a whole block at once. */
import type { ByteFinder } from "../../../core/log/byte_finder.ts";
import { type BytePattern, textPattern } from "../../../core/log/byte_pattern.ts";
import { byteSearch } from "../../../core/log/json_bytes/byte_search.ts";
import { type FieldPlace, readFieldBefore } from "../../../core/log/json_bytes/find_fields.ts";
import { ISO_LENGTH } from "../../../core/log/json_bytes/iso_digits.ts";
import { standsAt, standsLike } from "../../../core/log/json_bytes/values.ts";
import { UUID_LENGTH } from "../../engine/tree/record_ids.ts";

/** Searches byte ranges for patterns. Each function returns an offset, or −1 without a match. */
export interface LineMarks {
  /** Finds the start of a second record. If there is one, the line's first record is torn. */
  second(from: number, to: number): number;
  /** Finds `toolUseResult`, the form of a call's result that the user saw. */
  shown(from: number, to: number): number;
  interrupted(from: number, to: number): number;
  result(from: number, to: number): number;
}

export const findSummary = byteSearch('"isCompactSummary"');

const SECOND = '{"parentUuid":';
const SHOWN = ',"toolUseResult":';
const INTERRUPTED = '"interrupted":true';
const RESULT = '"type":"tool_result"';

const PATTERNS = [SECOND, SHOWN, INTERRUPTED, RESULT].map(textPattern) as [
  BytePattern,
  BytePattern,
  BytePattern,
  BytePattern,
];

/** Makes searches over a block of lines. They must be called in the order of the lines. */
export function blockMarks(finder: ByteFinder, end: number): LineMarks {
  const [second, shown, interrupted, result] = PATTERNS;
  return {
    second: inOrder(finder, second, end),
    shown: inOrder(finder, shown, end),
    interrupted: inOrder(finder, interrupted, end),
    result: inOrder(finder, result, end),
  };
}

/** Makes a forward search for `pattern`. Remembers the last hit, so no byte is searched twice. */
function inOrder(
  finder: ByteFinder,
  pattern: BytePattern,
  end: number,
): (from: number, to: number) => number {
  let next = -2;
  let searched = 0;
  return (from, to) => {
    if (next === -2 || next >= 0 && next < from || from < searched) {
      next = finder.find(pattern, from, end);
      searched = from;
    }
    return next < to ? next : -1;
  };
}

/** Returns the searches over a single line. They may be called in any order. */
export function lineMarks(bytes: Uint8Array): LineMarks {
  const [second, shown, interrupted, result] = SEARCHES;
  return {
    second: (from, to) => second(bytes, from, to),
    shown: (from, to) => shown(bytes, from, to),
    interrupted: (from, to) => interrupted(bytes, from, to),
    result: (from, to) => result(bytes, from, to),
  };
}

const SEARCHES = [
  byteSearch(SECOND),
  byteSearch(SHOWN),
  byteSearch(INTERRUPTED),
  byteSearch(RESULT),
] as const;

// Matches the end of a Claude Code message. After some fields come `"uuid":"…"` and
// `"timestamp":"…"`, then fields that rarely change from line to line.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
export const UUID_KEY = encoder.encode(',"uuid":"');
const TIMESTAMP = encoder.encode('","timestamp":"');
const ASSISTANT_TYPE = encoder.encode('"type":"assistant"');
const QUOTE = 0x22;
const COMMA = 0x2c;
const CLOSE_OBJECT = 0x7d;

/** Number of bytes of `,"uuid":"…","timestamp":"…"`. */
export const IDS_LENGTH = UUID_KEY.length + UUID_LENGTH + TIMESTAMP.length + ISO_LENGTH + 1;

/** Bytes after the time in an earlier record. Most later lines repeat these unimportant fields. */
let rear: Uint8Array | undefined;

/**
 * Names of fields that change the meaning of a record. These fields are never skipped, even if they
 * follow `timestamp` in the line.
 */
const SPEAKING = new Set(["isMeta", "isCompactSummary", "isApiErrorMessage", "message", "type"]);

/** Guesses the offset of the fields after a line's time, from their length in an earlier record. */
export function rearStart(end: number): number {
  return end - (rear?.length ?? 0);
}

/**
 * Returns the offset after a record's `timestamp`, the last field that is needed. It is -1 if no
 * `timestamp` is found, or if a field after it changes the record's meaning.
 */
export function idsEnd(bytes: Uint8Array, start: number, end: number, marks: LineMarks): number {
  const before = end - (rear?.length ?? end);
  if (rear !== undefined && isIds(bytes, before) && standsLike(bytes, before, rear)) return before;
  const result = marks.shown(start, end);
  if (result >= 0 && isIds(bytes, result)) return result;
  return newRear(bytes, start, end);
}

function isIds(bytes: Uint8Array, end: number): boolean {
  return bytes[end - 1] === QUOTE && standsAt(bytes, end - IDS_LENGTH, UUID_KEY) &&
    standsAt(bytes, end - 1 - ISO_LENGTH - TIMESTAMP.length, TIMESTAMP);
}

/** Maximum bytes of a record's fields after its time. About 300 is the largest number seen. */
const LONGEST_REAR = 1024;

function newRear(bytes: Uint8Array, start: number, end: number): number {
  const least = Math.max(start, end - LONGEST_REAR);
  for (let at = end - 1; at > least; at--) {
    if (bytes[at - 1] !== QUOTE || !isIds(bytes, at)) continue;
    if (!isHarmless(decoder.decode(bytes.subarray(at, end)))) return -1;
    rear = bytes.slice(at, end);
    return at;
  }
  return -1;
}

/** True if the fields after a record's `timestamp` do not change the record's meaning. */
function isHarmless(text: string): boolean {
  if (text === "}") return true;
  try {
    const fields: unknown = JSON.parse(`{${text.slice(1)}`);
    return Object.entries(fields as object).every(([name, value]) =>
      !SPEAKING.has(name) && (typeof value !== "object" || value === null)
    );
  } catch {
    // SyntaxError: not the end of one record.
    return false;
  }
}

/**
 * Finds the end of a record's message. Reads backwards through the fields between the message and
 * the record's id.
 *
 * @returns The offset of the message's end. It is -1 if a field changes the record's meaning, and 0
 * if the fields or the record's type cannot be read.
 */
export function messageEnd(
  bytes: Uint8Array,
  start: number,
  id: number,
  type: number | undefined,
): number {
  let at = id;
  let typed = type !== undefined;
  let plain = true;
  while (bytes[at - 1] !== CLOSE_OBJECT) {
    if (!readFieldBefore(bytes, at, start, field)) return 0;
    const { key, key_end } = field;
    if (bytes[key - 2] !== COMMA) return 0;
    if (standsAt(bytes, key - 1, ASSISTANT_TYPE)) typed = true;
    else if (isSpeaking(bytes, key, key_end)) plain = false;
    at = key - 2;
  }
  if (!typed) return 0;
  return plain ? at : -1;
}

const field: FieldPlace = { key: 0, key_end: 0, value: 0 };

const FIRST_LETTERS = new Uint8Array(256);
for (const name of SPEAKING) FIRST_LETTERS[name.charCodeAt(0)] = 1;

function isSpeaking(bytes: Uint8Array, from: number, to: number): boolean {
  if (FIRST_LETTERS[bytes[from] as number] === 0) return false;
  return SPEAKING.has(decoder.decode(bytes.subarray(from, to)));
}
