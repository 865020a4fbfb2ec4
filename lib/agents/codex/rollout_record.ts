/**
 * Normalizes a rollout's record of any version. Codex, codex-rs/protocol RolloutLine: `{timestamp,
 * ordinal?, type, payload, metadata?}`. Before 2025-09 a line was the bare item: first `{id,
 * timestamp, instructions, git}`, then response items, and lines `{"record_type":"state"}`.
 */
import type { ByteFinder } from "../../core/log/byte_finder.ts";
import { textPattern } from "../../core/log/byte_pattern.ts";
import { byteSearch } from "../../core/log/json_bytes/byte_search.ts";
import { standsAt } from "../../core/log/json_bytes/values.ts";
import { asObject, asText } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { SkippedBlock } from "../engine/records/taken_lines.ts";
import { isContextual } from "./item_content.ts";

export interface RolloutRecord {
  /** The type by {@linkcode recordType}; empty where the record has no type. */
  type: string;
  payload: Readonly<Record<string, unknown>>;
  metadata: Readonly<Record<string, unknown>>;
  time: string | undefined;
  source: SourceRecord;
}

/** Type of a record that takes back turns before it. */
export const ROLLED_BACK = "event_msg/thread_rolled_back";

/** Types of response items that old versions wrote without an envelope. */
const BARE_ITEMS: ReadonlySet<unknown> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "local_shell_call",
  "local_shell_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "web_search_call",
]);

export function toRolloutRecord(source: SourceRecord): RolloutRecord {
  const { value } = source;
  const { type, payload, timestamp } = value;
  const time = asText(timestamp);
  const metadata = asObject(value.metadata);
  if (typeof type === "string" && typeof payload === "object" && payload !== null) {
    const body = asObject(payload);
    return { type: recordType(type, body), payload: body, metadata, time, source };
  }
  return { type: bareType(value), payload: value, metadata, time, source };
}

function bareType(value: Readonly<Record<string, unknown>>): string {
  const { type, record_type, id, timestamp } = value;
  if (BARE_ITEMS.has(type)) return recordType("response_item", value);
  if (typeof type === "string") return type;
  if (typeof record_type === "string") return record_type;
  return typeof id === "string" && typeof timestamp === "string" ? "session_meta" : "";
}

/** True for a record of what a person, or another agent, asked. */
export function isPrompt({ type, payload }: RolloutRecord): boolean {
  if (type === "inter_agent_communication" || type === "response_item/agent_message") return true;
  return type === "response_item/message/user" && !isContextual(payload.content);
}

export function isTurnStart({ type }: RolloutRecord): boolean {
  return type === "event_msg/task_started" || type === "event_msg/turn_started";
}

const TURN_MARKS =
  /^event_msg\/(?:task_started|turn_started|task_complete|turn_complete|turn_aborted)$/;

/** True for a type of records that say where a turn begins or ends. */
export function isTurnMark(type: string): boolean {
  return TURN_MARKS.test(type);
}

/** Returns true if a compaction has the whole conversation. Old ones need the earlier prompts. */
export function isWholeCompaction({ type, payload }: RolloutRecord): boolean {
  return type === "compacted" && Array.isArray(payload.replacement_history);
}

// Recognizes a rollout's line by its first bytes.
//
// Codex writes the fields of a line, and of most payloads, in one order:
// `{"timestamp":…,"ordinal":…,"type":…,"payload":{"type":…` (0.40 and 0.169, all lines of the
// samples). A line that begins in another way is parsed.

const encoder = new TextEncoder();
const START = encoder.encode('{"timestamp":"');
/**
 * Searches for the start of a record. In a string its quotes are escaped, so a hit within a line is
 * a second, glued record.
 */
const findStart = byteSearch('{"timestamp":"');
const RECORD_START = textPattern('{"timestamp":"');
const ORDINAL = encoder.encode(',"ordinal":');
const TYPE = encoder.encode(',"type":"');
const PAYLOAD = encoder.encode(',"payload":{');
const INNER = encoder.encode('"type":"');
const ROLE_NEXT = encoder.encode(',"role":"');

const QUOTE = 0x22;
const UNDERSCORE = 0x5f;
const CLOSING_BRACE = 0x7d;
/** Maximum length of a type name. All that this version knows are shorter. */
const LONGEST_TYPE = 40;
/** Bytes after the payload's type in which an item's type or a message's role is searched. */
const DEEPER_BYTES = 240;
const ITEM = /^,(?:"thread_id":"[^"\\]*",)?(?:"turn_id":"[^"\\]*",)?"item":\{"type":"(\w+)"/;
const ROLE = /^,(?:"status":"[^"\\]*",)?(?:"id":"[^"\\]*",)?"role":"(\w+)"/;

/** Returns the end of the word of letters and `_` at `start`; -1 if no quote ends it. */
function wordEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < start + LONGEST_TYPE; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at;
    if ((byte < 0x61 || byte > 0x7a) && byte !== UNDERSCORE) return -1;
  }
  return -1;
}

function textAt(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode.apply(null, bytes.subarray(start, end) as unknown as number[]);
}

/** Words by a hash of their bytes, so that each is decoded once, not once a line. */
const WORDS: (string | undefined)[] = new Array(1024);

function wordAt(bytes: Uint8Array, start: number, end: number): string {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
  const slot = hash & 1023;
  const known = WORDS[slot];
  if (known !== undefined && isAt(bytes, known, start, end)) return known;
  return WORDS[slot] = textAt(bytes, start, end);
}

function isAt(bytes: Uint8Array, word: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = start; at < end; at++) {
    if (bytes[at] !== word.charCodeAt(at - start)) return false;
  }
  return true;
}

/** Cached types made of two words. Limited, as a file may have any number of unknown words. */
const JOINED = new Map<string, Map<string, string>>();
const MOST_TYPES = 1000;

function joined(outer: string, inner: string): string {
  const types = JOINED.get(outer);
  const known = types?.get(inner);
  if (known !== undefined) return known;
  const type = `${outer}/${inner}`;
  if (types !== undefined) {
    if (types.size < MOST_TYPES) types.set(inner, type);
  } else if (JOINED.size < MOST_TYPES) JOINED.set(outer, new Map([[inner, type]]));
  return type;
}

/** Returns the offset of the record's type; -1 if the line begins otherwise. */
function typeStart(bytes: Uint8Array, start: number, to: number): number {
  if (!standsAt(bytes, start, START)) return -1;
  let at = start + START.length;
  while (at < to && bytes[at] !== QUOTE) at++;
  if (at++ === to) return -1;
  if (standsAt(bytes, at, ORDINAL)) {
    at += ORDINAL.length;
    for (let byte = bytes[at] ?? 0; byte >= 0x30 && byte <= 0x39; byte = bytes[++at] ?? 0);
  }
  return standsAt(bytes, at, TYPE) ? at + TYPE.length : -1;
}

/**
 * Returns the types of a record, its payload and its item or role, such as
 * `event_msg/item_completed/UserMessage`. Undefined if the first bytes do not contain them.
 */
export function lineType(
  bytes: Uint8Array,
  from = 0,
  to: number = bytes.length,
): string | undefined {
  const start = typeStart(bytes, from, to);
  const end = start < 0 ? -1 : wordEnd(bytes, start);
  if (end < 0 || !standsAt(bytes, end + 1, PAYLOAD)) return undefined;
  const type = wordAt(bytes, start, end);
  const inner = end + 1 + PAYLOAD.length;
  if (!standsAt(bytes, inner, INNER)) return type;
  const inner_end = wordEnd(bytes, inner + INNER.length);
  if (inner_end < 0) return undefined;
  const word = wordAt(bytes, inner + INNER.length, inner_end);
  const payload = joined(type, word);
  if (word !== "item_completed" && word !== "message") return payload;
  const rest = { from: inner_end + 1, to: Math.min(to, inner_end + 1 + DEEPER_BYTES) };
  return word === "message" ? message(bytes, rest, payload) : deeper(bytes, rest, payload, ITEM);
}

/** A type, and the bytes that tell it, from the record's type on. */
interface KnownType {
  type: string;
  bytes: DataView;
}

/** Types that lines had, by a hash of some bytes. */
const KNOWN: (KnownType | undefined)[] = new Array(256);
const PAYLOAD_TYPE = '","payload":{"type":"';
const START_BYTES = new DataView(START.buffer);
const TYPE_BYTES = viewOf('","type":"');
/** Length of a time with milliseconds, which nearly all records have. */
const TIME_LENGTH = 24;
const USUAL_TYPE = START.length + TIME_LENGTH + TYPE_BYTES.byteLength;
const LONGEST_KNOWN = 3 * LONGEST_TYPE;

function viewOf(text: string): DataView {
  return new DataView(encoder.encode(text).buffer);
}

/** The same as {@linkcode lineType} for a line of a block. A type that lines had is told by a look. */
export function lineTypeIn(
  { view, finder }: SkippedBlock,
  start: number,
  end: number,
): string | undefined {
  const at = start + USUAL_TYPE;
  const usual = end > at + LONGEST_KNOWN && hasBytes(view, start, START_BYTES) &&
    hasBytes(view, at - TYPE_BYTES.byteLength, TYPE_BYTES) && !hasQuote(view, start + START.length);
  if (!usual) return lineType(finder.bytes, start, end);
  // Behind the types of payloads, roles and items differ.
  const mixed = Math.imul(view.getUint32(at + 29, true), 0x9e3779b1) ^
    Math.imul(view.getUint32(at + 44, true), 0x85ebca6b) ^ view.getUint32(at + 50, true);
  const slot = Math.imul(mixed, 0xc2b2ae35) >>> 24;
  const known = KNOWN[slot];
  if (known !== undefined && hasBytes(view, at, known.bytes)) return known.type;
  const type = lineType(finder.bytes, start, end);
  const [outer, inner, role] = type?.split("/") ?? [];
  if (type === undefined || inner === undefined) return type;
  const bytes = viewOf(
    outer + PAYLOAD_TYPE + inner + (role === undefined ? '"' : `","role":"${role}"`),
  );
  if (hasBytes(view, at, bytes)) KNOWN[slot] = { type, bytes };
  return type;
}

/** True if bytes, four or more, stand at an offset. */
function hasBytes(view: DataView, start: number, bytes: DataView): boolean {
  const last = bytes.byteLength - 4;
  if (view.getUint32(start + last, true) !== bytes.getUint32(last, true)) return false;
  for (let at = 0; at < last; at += 4) {
    if (view.getUint32(start + at, true) !== bytes.getUint32(at, true)) return false;
  }
  return true;
}

/** True if a time of the usual length has a quote. */
function hasQuote(view: DataView, start: number): boolean {
  for (let at = start; at < start + TIME_LENGTH; at += 4) {
    // A byte that is a quote becomes 0, and only a 0 borrows.
    const word = view.getUint32(at) ^ 0x22222222;
    if (((word - 0x01010101) & ~word & 0x80808080) !== 0) return true;
  }
  return false;
}

/** Adds the role of a message, which nearly always comes next. */
function message(bytes: Uint8Array, rest: ByteSpan, type: string): string | undefined {
  if (!standsAt(bytes, rest.from, ROLE_NEXT)) return deeper(bytes, rest, type, ROLE);
  const start = rest.from + ROLE_NEXT.length;
  const end = wordEnd(bytes, start);
  return end < 0 ? undefined : joined(type, wordAt(bytes, start, end));
}

interface ByteSpan {
  from: number;
  to: number;
}

function deeper(
  bytes: Uint8Array,
  { from, to }: ByteSpan,
  type: string,
  pattern: RegExp,
): string | undefined {
  const last = pattern.exec(textAt(bytes, from, to))?.[1];
  return last === undefined ? undefined : joined(type, last);
}

/** Returns the type of a parsed record, in the form of {@linkcode lineType}. */
function recordType(type: string, payload: Readonly<Record<string, unknown>>): string {
  const inner = payload.type;
  if (typeof inner !== "string") return type;
  const outer = joined(type, inner);
  if (inner !== "message" && inner !== "item_completed") return outer;
  const item = payload.item as { type?: unknown } | null | undefined;
  const last = inner === "message" ? payload.role : item?.type;
  return typeof last === "string" && last !== "" ? joined(outer, last) : outer;
}

/**
 * True if a line may stay unparsed. It ends as a record does, holds no NUL, and no other line is
 * glued to it. Lines have no checksum for a better test.
 */
export function looksWhole(bytes: Uint8Array): boolean {
  if (bytes[bytes.length - 1] !== CLOSING_BRACE || bytes.includes(0)) return false;
  return findStart(bytes, 1) < 0;
}

/** The same for a line of a block. */
export function looksWholeIn(
  { finder, has_nul }: SkippedBlock,
  start: number,
  end: number,
): boolean {
  if (finder.bytes[end - 1] !== CLOSING_BRACE || (has_nul && hasNul(finder, start, end))) {
    return false;
  }
  return finder.find(RECORD_START, start + 1, end) < 0;
}

function hasNul({ bytes }: ByteFinder, start: number, end: number): boolean {
  return bytes.subarray(start, end).includes(0);
}
