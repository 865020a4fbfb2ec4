/**
 * What a line of a rollout is, by a look at its first bytes. Codex writes the fields of a line, and
 * of most payloads, in one order (0.40 and 0.169, all lines of the samples):
 * `{"timestamp":…,"ordinal":…,"type":…,"payload":{"type":…`. A line that begins in another way is
 * parsed.
 */
import { Buffer } from "node:buffer";

/** Bytes that suffice to tell what a line is. */
const HEAD_BYTES = 360;
const HEAD =
  /^\{"timestamp":"[^"\\]{0,48}",(?:"ordinal":\d+,)?"type":"([a-z_]+)","payload":\{(?:"type":"([a-z_]+)",?)?/;
const ITEM =
  /"type":"item_completed",(?:"thread_id":"[^"\\]*",)?(?:"turn_id":"[^"\\]*",)?"item":\{"type":"(\w+)"/;
const ROLE = /"type":"message",(?:"status":"[^"\\]*",)?(?:"id":"[^"\\]*",)?"role":"(\w+)"/;
/** Inside a string its quotes would be escaped: it can only begin another line. */
const NEXT_LINE = '{"timestamp":"';

const CLOSING_BRACE = 0x7d;
const decoder = new TextDecoder("latin1");

/**
 * The type of a line: that of the record, of its payload, and of its item or role, as in
 * `event_msg/item_completed/UserMessage`. Undefined when its first bytes do not tell.
 */
export function lineType(bytes: Uint8Array): string | undefined {
  const head = decoder.decode(bytes.subarray(0, HEAD_BYTES));
  const [found, type, payload] = HEAD.exec(head) ?? [];
  if (found === undefined || type === undefined) return undefined;
  if (payload === undefined) return found.endsWith("{") ? type : undefined;
  if (payload === "item_completed") return deeper(`${type}/${payload}`, ITEM.exec(head)?.[1]);
  if (payload === "message") return deeper(`${type}/${payload}`, ROLE.exec(head)?.[1]);
  return `${type}/${payload}`;
}

function deeper(type: string, item: string | undefined): string | undefined {
  return item === undefined ? undefined : `${type}/${item}`;
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
