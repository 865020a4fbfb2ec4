/**
 * Reads a message of Claude Code from the two ends of its line, without parsing the line. Every
 * version since 1.0 writes
 * `{"parentUuid":…,"isSidechain":…,…,"message":{…},…,"uuid":"…","timestamp":"…",…}`. The bytes
 * before the message and after the time hardly change from line to line. So they are compared with
 * the bytes of an earlier line. {@linkcode scanRecord} reads lines of any other form.
 */
import {
  fieldNames,
  findFields,
  findFirstFields,
} from "../../../core/log/json_bytes/find_fields.ts";
import { ISO_LENGTH, isoDigits } from "../../../core/log/json_bytes/iso_digits.ts";
import { standsAt, standsLike, stringEnd, textAt } from "../../../core/log/json_bytes/values.ts";
import { isKeyOf, keyText, readKey, rowOfKey, UUID_LENGTH } from "../../engine/tree/record_ids.ts";
import { LOST, type NewRecord, ROOT } from "../../engine/tree/record_index.ts";
import { ASSISTANT, type ClaudeIndex, RESULTS, SIDECHAIN, SUMMARY, USER } from "./claude_record.ts";
import {
  findSummary,
  IDS_LENGTH,
  idsEnd,
  type LineMarks,
  messageEnd,
  rearStart,
  UUID_KEY,
} from "./line_marks.ts";

const encoder = new TextEncoder();
const PARENT = encoder.encode('{"parentUuid":');
const NULL = encoder.encode("null");
const MAIN = encoder.encode(',"isSidechain":false');
const SIDE = encoder.encode(',"isSidechain":true');
const PROMPT_ID = encoder.encode(',"promptId":"');
const QUOTE = 0x22;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;

const CONTENT = fieldNames("content");

/**
 * Reads the record in a line into `found`, and its id into the index's key.
 *
 * @returns False if the line does not have the form in the head of this file.
 */
export function readMessageLine(
  { ids, count }: ClaudeIndex,
  found: NewRecord,
  bytes: Uint8Array,
  from: number,
  end: number,
  marks: LineMarks,
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
  if (Number.isNaN(found.time) || !readKey(ids, bytes, id + UUID_KEY.length)) return false;
  const shown = front.type === USER ? marks.shown(start, id) : -1;
  const plain = shown >= 0 ? shown : messageEnd(bytes, start, id, front.type);
  if (plain === 0 || marks.second(from + 1, end) >= 0) return false;
  const type = front.type ?? ASSISTANT;
  // What a person saw of a result stands before its ids or behind them.
  const from_shown = shown >= 0 ? shown : cut;
  const whole = from_shown < rearStart(end) &&
    marks.interrupted(from_shown, end) >= 0;
  found.id = undefined;
  found.type = type;
  found.subtype = undefined;
  found.answer = 0;
  if (type === ASSISTANT) found.answer = responseOf(bytes, start);
  else if (holdsResult(bytes, start, id, marks)) found.flags |= RESULTS;
  if (plain < 0 && type === USER && findSummary(bytes, from, end) >= 0) found.flags |= SUMMARY;
  const alone = plain > 0 && !whole;
  found.body = alone ? start - from : 0;
  found.body_length = alone ? plain - start : 0;
  return true;
}

const RESULT_FIRST = encoder.encode('{"tool_use_id":');
const USER_CONTENT = encoder.encode('{"role":"user","content":');

/**
 * True if a message holds results of calls. If any block is a result, the first nearly always is
 * one.
 */
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
  const content = findFirstFields(bytes, CONTENT, message)[0] as number;
  return bytes[content] === OPEN_ARRAY && marks.result(content, end) >= 0;
}

const MESSAGE = new TextEncoder().encode('"message":');
const OPEN_OBJECT = 0x7b;
const decoder = new TextDecoder();

/** The bytes of a line between `isSidechain` or `promptId` and the message. */
interface MessageFront {
  bytes: Uint8Array;
  /** Type of the record. Undefined if the type follows the message. */
  type: number | undefined;
}

/** The latest {@linkcode MessageFront} that has a `type`, and the latest one without a `type`. */
const fronts: [MessageFront | undefined, MessageFront | undefined] = [undefined, undefined];

/**
 * Returns the {@linkcode MessageFront} that begins at `at` in the line from `from` to `end`.
 * Undefined if the line must be parsed.
 */
function frontAt(
  bytes: Uint8Array,
  from: number,
  at: number,
  end: number,
): MessageFront | undefined {
  for (const front of fronts) {
    if (front !== undefined && standsLike(bytes, at, front.bytes)) return front;
  }
  const front = readFront(bytes.subarray(from, end), at - from);
  if (front !== undefined) fronts[front.type === undefined ? 1 : 0] = front;
  return front;
}

const FRONT = fieldNames("type", "message", "isMeta", "isCompactSummary", "isApiErrorMessage");

function readFront(bytes: Uint8Array, at: number): MessageFront | undefined {
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

const BACKSLASH = 0x5c;
const MESSAGE_ID = fieldNames("id");
const ID_FIRST = encoder.encode('{"id":"');

/**
 * Returns the number of a response: a hash of the id of the message at offset `message`. It is 0 if
 * the message has no id.
 */
export function responseOf(bytes: Uint8Array, message: number): number {
  if (standsAt(bytes, message, ID_FIRST)) {
    const from = message + ID_FIRST.length;
    const to = bytes.indexOf(QUOTE, from);
    return to <= from ? 0 : numberOfId(bytes, from, to);
  }
  const [from, to] = findFields(bytes, MESSAGE_ID, message) as unknown as [number, number];
  return from < 0 || bytes[from] !== QUOTE || to - from <= 2
    ? 0
    : numberOfId(bytes, from + 1, to - 1);
}

function numberOfId(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (bytes[at] === BACKSLASH) {
      return responseOfId(textAt(bytes, from - 1, stringEnd(bytes, from)) ?? "");
    }
  }
  return hashOfId(bytes, from, to);
}

/** Hashes the bytes of an id to a number over 0. */
function hashOfId(bytes: Uint8Array, from: number, to: number): number {
  let one = 0x811c9dc5;
  let two = 0x9e3779b9;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    one = Math.imul(one ^ byte, 0x01000193);
    two = Math.imul(two ^ byte, 0x85ebca6b) ^ (two >>> 13);
  }
  return (one >>> 0) * 0x100000 + ((two >>> 0) & 0xfffff) + 1;
}

export function responseOfId(id: string): number {
  const bytes = encoder.encode(id);
  return hashOfId(bytes, 0, bytes.length);
}
