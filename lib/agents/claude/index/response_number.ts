/**
 * The number that names a response: two hashes of its message id, which cost less than a text.
 */
import { fieldNames, findFields } from "../../../log/json_bytes/find_fields.ts";
import { standsAt, stringEnd, textAt } from "../../../log/json_bytes/values.ts";

const encoder = new TextEncoder();
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MESSAGE_ID = fieldNames("id");
const ID_FIRST = encoder.encode('{"id":"');

/** Returns the number of the response whose message begins at a place; 0 if it has no id. */
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

/** Returns the number of the response with a message id. */
export function responseOfId(id: string): number {
  const bytes = encoder.encode(id);
  return hashOfId(bytes, 0, bytes.length);
}
