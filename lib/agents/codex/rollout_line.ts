/**
 * What a line of a rollout is, by a look at its first bytes. Codex writes the fields of a line, and
 * of most payloads, in one order (0.40 and 0.169, all lines of the samples):
 * `{"timestamp":…,"ordinal":…,"type":…,"payload":{"type":…`. A line that begins in another way is
 * parsed.
 */
import { Buffer } from "node:buffer";

const encoder = new TextEncoder();
const START = encoder.encode('{"timestamp":"');
const ORDINAL = encoder.encode(',"ordinal":');
const TYPE = encoder.encode(',"type":"');
const PAYLOAD = encoder.encode(',"payload":{');
const INNER = encoder.encode('"type":"');
/** Inside a string its quotes would be escaped: it can only begin another line. */
const NEXT_LINE = Buffer.from(START);

const QUOTE = 0x22;
const UNDERSCORE = 0x5f;
const CLOSING_BRACE = 0x7d;
/** Longer ones are none that this version knows. */
const LONGEST_TYPE = 40;
/** Bytes in which the type of an item, or the role of a message, stands. */
const DEEPER_BYTES = 240;
const ITEM = /^,(?:"thread_id":"[^"\\]*",)?(?:"turn_id":"[^"\\]*",)?"item":\{"type":"(\w+)"/;
const ROLE = /^,(?:"status":"[^"\\]*",)?(?:"id":"[^"\\]*",)?"role":"(\w+)"/;

function hasAt(bytes: Uint8Array, literal: Uint8Array, start: number): boolean {
  for (let index = 0; index < literal.length; index++) {
    if (bytes[start + index] !== literal[index]) return false;
  }
  return true;
}

/** End of the word of letters and `_` that begins at `start`; -1 when no quote ends it. */
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

/** Where the type of the record begins; -1 when the line begins otherwise. */
function typeStart(bytes: Uint8Array): number {
  if (!hasAt(bytes, START, 0)) return -1;
  let at = bytes.indexOf(QUOTE, START.length) + 1;
  if (at === 0) return -1;
  if (hasAt(bytes, ORDINAL, at)) {
    at += ORDINAL.length;
    for (let byte = bytes[at] ?? 0; byte >= 0x30 && byte <= 0x39; byte = bytes[++at] ?? 0);
  }
  return hasAt(bytes, TYPE, at) ? at + TYPE.length : -1;
}

/**
 * The type of a line: that of the record, of its payload, and of its item or role, as in
 * `event_msg/item_completed/UserMessage`. Undefined when its first bytes do not tell.
 */
export function lineType(bytes: Uint8Array): string | undefined {
  const start = typeStart(bytes);
  const end = start < 0 ? -1 : wordEnd(bytes, start);
  if (end < 0 || !hasAt(bytes, PAYLOAD, end + 1)) return undefined;
  const type = textAt(bytes, start, end);
  const inner = end + 1 + PAYLOAD.length;
  if (!hasAt(bytes, INNER, inner)) return type;
  const inner_end = wordEnd(bytes, inner + INNER.length);
  if (inner_end < 0) return undefined;
  const payload = textAt(bytes, inner + INNER.length, inner_end);
  if (payload === "item_completed") return deeper(bytes, inner_end + 1, `${type}/${payload}`, ITEM);
  if (payload === "message") return deeper(bytes, inner_end + 1, `${type}/${payload}`, ROLE);
  return `${type}/${payload}`;
}

function deeper(
  bytes: Uint8Array,
  start: number,
  type: string,
  pattern: RegExp,
): string | undefined {
  const last = pattern.exec(textAt(bytes, start, start + DEEPER_BYTES))?.[1];
  return last === undefined ? undefined : `${type}/${last}`;
}

/** The type of a record that was parsed, as {@linkcode lineType} names it. */
export function recordType(type: string, payload: Readonly<Record<string, unknown>>): string {
  const inner = payload.type;
  if (typeof inner !== "string") return type;
  const item = payload.item as { type?: unknown } | null | undefined;
  const last = inner === "message" ? payload.role : inner === "item_completed" ? item?.type : "";
  return typeof last === "string" && last !== "" ? `${type}/${inner}/${last}` : `${type}/${inner}`;
}

/**
 * Whether a line may stay unparsed: it ends as a record does, holds no NUL, and no other line is
 * glued to it. There is no checksum to tell more.
 */
export function looksWhole(bytes: Uint8Array): boolean {
  if (bytes[bytes.length - 1] !== CLOSING_BRACE || bytes.includes(0)) return false;
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return line.indexOf(NEXT_LINE, 1) < 0;
}
