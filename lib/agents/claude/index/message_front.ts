/**
 * Matches the start of a Claude Code message. It rarely changes, so it is compared with those of
 * the lines before.
 */
import { fieldNames, findFirstFields } from "../../../log/json_bytes/find_fields.ts";
import { standsAt, standsLike } from "../../../log/json_bytes/values.ts";
import { ASSISTANT, USER } from "./claude_record.ts";

const MESSAGE = new TextEncoder().encode('"message":');
const OPEN_OBJECT = 0x7b;
const decoder = new TextDecoder();

/** The bytes between the parent and the message, and what they say. */
export interface MessageFront {
  bytes: Uint8Array;
  /** Undefined where the type stands behind the message. */
  type: number | undefined;
}

/** The last front with a type, and the last one without. */
const fronts: [MessageFront | undefined, MessageFront | undefined] = [undefined, undefined];

/** Returns what stands at `at` of the line from `from` to `end`; undefined if only parsing tells. */
export function frontAt(
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
