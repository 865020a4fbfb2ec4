/**
 * Tells a message of Claude Code by the two ends of its line, as every version since 1.0 writes it:
 * `{"parentUuid":…,"isSidechain":…,…,"message":{…},…,"uuid":"…","timestamp":"…",…}`. What stands
 * before the message and behind the time hardly changes from line to line, so it is compared with that
 * of the line before. Lines of any other form are left to {@linkcode scanRecord}.
 */
import {
  fieldNames,
  type FieldSpans,
  findFields,
  findFirstFields,
} from "../../../log/json_bytes/find_fields.ts";
import { standsAt, standsLike } from "../../../log/json_bytes/values.ts";
import { ISO_LENGTH, isoDigits } from "./iso_digits.ts";
import { isKeyOf, keyText, readKey, rowOfKey, UUID_LENGTH } from "./record_ids.ts";
import type { LineMarks } from "./line_marks.ts";
import {
  ASSISTANT,
  LOST,
  type NewRecord,
  type RecordIndex,
  RESULTS,
  ROOT,
  SIDECHAIN,
  USER,
} from "./record_index.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const PARENT = encoder.encode('{"parentUuid":');
const NULL = encoder.encode("null");
const MAIN = encoder.encode(',"isSidechain":false');
const SIDE = encoder.encode(',"isSidechain":true');
const PROMPT_ID = encoder.encode(',"promptId":"');
const MESSAGE = encoder.encode('"message":');
const UUID = encoder.encode(',"uuid":"');
const TIMESTAMP = encoder.encode('","timestamp":"');
const ASSISTANT_TYPE = encoder.encode('"type":"assistant"');
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;

/** What stands before a message, from the parent on, and what it says. */
interface Front {
  bytes: Uint8Array;
  /** Undefined where the type stands behind the message. */
  type: number | undefined;
}

/** Of the two kinds of messages, what stood there last. */
const fronts: [Front | undefined, Front | undefined] = [undefined, undefined];
/** What stood last behind a time: fields that change nothing of what is said. */
let rear: Uint8Array | undefined;

/** Where things are that lead from the record to others, `"uuid":"…","timestamp":"…"`. */
const IDS_LENGTH = UUID.length + UUID_LENGTH + TIMESTAMP.length + ISO_LENGTH + 1;

/** Fields by which a record is more than its message. */
const SPEAKING = new Set(["isMeta", "isCompactSummary", "isApiErrorMessage", "message", "type"]);
const MESSAGE_ID = fieldNames("id");
const CONTENT = fieldNames("content");

/** What a line is read with. */
export interface LineReading {
  marks: LineMarks;
  found: NewRecord;
}

/**
 * Reads the record in a line into `found`, and its id into the index's key. False where the line is of
 * another form.
 */
export function readMessageLine(
  { ids, count }: RecordIndex,
  bytes: Uint8Array,
  from: number,
  end: number,
  { marks, found }: LineReading,
): boolean {
  if (!standsAt(bytes, from, PARENT) || bytes[end - 1] !== CLOSE_OBJECT) return false;
  let at = from + PARENT.length;
  found.parent = ROOT;
  found.parent_id = undefined;
  if (bytes[at] === QUOTE) {
    if (!readKey(ids, bytes, at + 1) || bytes[at + 1 + UUID_LENGTH] !== QUOTE) return false;
    // Nearly always the record before.
    found.parent = count > 0 && isKeyOf(ids, count - 1) ? count - 1 : rowOfKey(ids);
    if (found.parent < 0) found.parent = LOST;
    if (found.parent < 0) found.parent_id = keyText(ids);
    at += UUID_LENGTH + 2;
  } else if (standsAt(bytes, at, NULL)) at += NULL.length;
  else return false;
  found.flags = standsAt(bytes, at, MAIN) ? 0 : SIDECHAIN;
  if (found.flags === 0) at += MAIN.length;
  else if (standsAt(bytes, at, SIDE)) at += SIDE.length;
  else return false;
  if (standsAt(bytes, at, PROMPT_ID)) at += PROMPT_ID.length + UUID_LENGTH + 1;
  const front = frontAt(bytes, from, at, end);
  if (front === undefined) return false;
  const start = at + front.bytes.length;
  const cut = idsEnd(bytes, start, end, marks);
  if (cut < 0) return false;
  const id = cut - IDS_LENGTH;
  found.time = isoDigits(bytes, cut - 1 - ISO_LENGTH);
  if (Number.isNaN(found.time) || !readKey(ids, bytes, id + UUID.length)) return false;
  const shown = front.type === USER ? marks.shown(start, id) : -1;
  const plain = shown >= 0 ? shown : messageEnd(bytes, start, id, front.type);
  if (plain === 0 || marks.second(from + 1, end) >= 0) return false;
  const type = front.type ?? ASSISTANT;
  // What a person saw of a result stands before its ids or behind them.
  const from_shown = shown >= 0 ? shown : cut;
  const whole = from_shown < end - (rear?.length ?? 0) &&
    marks.interrupted(from_shown, end) >= 0;
  found.type = type;
  found.response = 0;
  if (type === ASSISTANT) found.response = responseOf(bytes, start);
  else if (holdsResult(bytes, start, id, marks)) found.flags |= RESULTS;
  const alone = plain > 0 && !whole;
  found.body = alone ? start - from : 0;
  found.body_length = alone ? plain - start : 0;
  return true;
}

function frontAt(
  bytes: Uint8Array,
  from: number,
  at: number,
  end: number,
): Front | undefined {
  for (const front of fronts) {
    if (front !== undefined && standsLike(bytes, at, front.bytes)) return front;
  }
  const front = readFront(bytes.subarray(from, end), at - from);
  if (front !== undefined) fronts[front.type === undefined ? 1 : 0] = front;
  return front;
}

const FRONT = fieldNames("type", "message", "isMeta", "isCompactSummary", "isApiErrorMessage");

function readFront(bytes: Uint8Array, at: number): Front | undefined {
  const spans = findFirstFields(bytes, FRONT);
  const type = spans[0] as number;
  const message = spans[2] as number;
  if (message < at || bytes[message] !== OPEN_OBJECT) return undefined;
  if (!standsAt(bytes, message - MESSAGE.length, MESSAGE)) return undefined;
  // What says more than the message stands before it.
  if (spans[4] !== -1 || spans[6] !== -1 || spans[8] !== -1) return undefined;
  let code: number | undefined;
  if (type >= 0) {
    const name = decoder.decode(bytes.subarray(type, spans[1]));
    if (name !== '"user"' && name !== '"assistant"') return undefined;
    code = name === '"user"' ? USER : ASSISTANT;
  }
  return { bytes: bytes.slice(at, message), type: code };
}

/** Where the time ends, and with it what the record needs; -1 where it is not found. */
function idsEnd(bytes: Uint8Array, start: number, end: number, marks: LineMarks): number {
  const before = end - (rear?.length ?? end);
  if (rear !== undefined && isIds(bytes, before) && standsLike(bytes, before, rear)) return before;
  const result = marks.shown(start, end);
  if (result >= 0 && isIds(bytes, result)) return result;
  return newRear(bytes, start, end);
}

function isIds(bytes: Uint8Array, end: number): boolean {
  return bytes[end - 1] === QUOTE && standsAt(bytes, end - IDS_LENGTH, UUID) &&
    standsAt(bytes, end - 1 - ISO_LENGTH - TIMESTAMP.length, TIMESTAMP);
}

/** The most that was seen behind a time is some 300 bytes. */
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

/** True for fields that change nothing of what is said, up to the end of the record. */
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
 * Where the message ends, by the fields between it and the id, walked backwards. Negative where the
 * record says more by them than its message, 0 where they cannot be told.
 */
function messageEnd(
  bytes: Uint8Array,
  start: number,
  id: number,
  type: number | undefined,
): number {
  let at = id;
  let typed = type !== undefined;
  let plain = true;
  while (bytes[at - 1] !== CLOSE_OBJECT) {
    const colon = valueColon(bytes, at - 1, start);
    const key = colon < 0 || bytes[colon - 1] !== QUOTE ? -1 : quoteBefore(bytes, colon - 2, start);
    if (key < 0 || bytes[key - 1] !== COMMA) return 0;
    if (standsAt(bytes, key, ASSISTANT_TYPE)) typed = true;
    else if (isSpeaking(bytes, key + 1, colon - 1)) plain = false;
    at = key - 1;
  }
  if (!typed) return 0;
  return plain ? at : -1;
}

const FIRST_LETTERS = new Uint8Array(256);
for (const name of SPEAKING) FIRST_LETTERS[name.charCodeAt(0)] = 1;

function isSpeaking(bytes: Uint8Array, from: number, to: number): boolean {
  if (FIRST_LETTERS[bytes[from] as number] === 0) return false;
  return SPEAKING.has(decoder.decode(bytes.subarray(from, to)));
}

/** The colon before a text, a number or a literal that ends at `last`. */
function valueColon(bytes: Uint8Array, last: number, start: number): number {
  if (bytes[last] === QUOTE) {
    const quote = quoteBefore(bytes, last - 1, start);
    return quote > 0 && bytes[quote - 1] === COLON ? quote - 1 : -1;
  }
  let at = last;
  while (at > start && bytes[at] !== COLON && bytes[at] !== QUOTE) at--;
  return bytes[at] === COLON ? at : -1;
}

const BACKSLASH = 0x5c;

function quoteBefore(bytes: Uint8Array, last: number, start: number): number {
  for (let at = last; at > start; at--) {
    if (bytes[at] === BACKSLASH) return -1;
    if (bytes[at] === QUOTE) return at;
  }
  return -1;
}

const ID_FIRST = encoder.encode('{"id":"');

/** A number that names a response: two hashes of its message id. */
function responseOf(bytes: Uint8Array, message: number): number {
  if (standsAt(bytes, message, ID_FIRST)) {
    const from = message + ID_FIRST.length;
    const to = bytes.indexOf(QUOTE, from);
    return to <= from ? 0 : hashOfId(bytes, from, to);
  }
  const [from, to] = findFields(bytes, MESSAGE_ID, message) as unknown as [number, number];
  return from < 0 || to - from <= 2 ? 0 : hashOfId(bytes, from + 1, to - 1);
}

/** Hashes the bytes of an id to a number over 0. */
export function hashOfId(bytes: Uint8Array, from: number, to: number): number {
  let one = 0x811c9dc5;
  let two = 0x9e3779b9;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    one = Math.imul(one ^ byte, 0x01000193);
    two = Math.imul(two ^ byte, 0x85ebca6b) ^ (two >>> 13);
  }
  return (one >>> 0) * 0x100000 + ((two >>> 0) & 0xfffff) + 1;
}

const RESULT_FIRST = encoder.encode('{"tool_use_id":');
const USER_CONTENT = encoder.encode('{"role":"user","content":');

/** True where a message holds results of calls: the first block is nearly always one, or none is. */
function holdsResult(
  bytes: Uint8Array,
  message: number,
  end: number,
  marks: LineMarks,
): boolean {
  if (standsAt(bytes, message, USER_CONTENT)) {
    const content = message + USER_CONTENT.length;
    if (bytes[content] !== OPEN_ARRAY) return false;
    return standsAt(bytes, content + 1, RESULT_FIRST) || marks.result(content, end) >= 0;
  }
  const spans: FieldSpans = findFirstFields(bytes, CONTENT, message);
  const content = spans[0] as number;
  return bytes[content] === OPEN_ARRAY && marks.result(content, end) >= 0;
}
