/**
 * Bytes to one event, when they are one as a whole.
 */
import { CHECKSUM_BYTES } from "../event/checksum.ts";
import { decodeEvent, isDeeperThan, MAX_DEPTH } from "../event/decode.ts";
import type { Integrity, LinePosition, LogEvent } from "../event/envelope.ts";
import { scanJson } from "./json_bytes/scan_json.ts";

const decoder = new TextDecoder();
/** A shorter line cannot nest too deep. */
const SHORTEST_DEEP_LINE = 2 * MAX_DEPTH;
/** Of a longer line the nesting is checked before parsing: a parser takes some 100 bytes a level. */
const LONGEST_UNCHECKED_LINE = 1024 * 1024;

/** Parses bytes as one event; gives it, or the code of what they are instead. */
export function parseEvent(
  bytes: Uint8Array,
  integrity: Integrity,
  { offset, length, line }: LinePosition,
): LogEvent | "malformed-line" | "too-deep" {
  if (!opensObject(bytes)) return "malformed-line";
  if (bytes.length > LONGEST_UNCHECKED_LINE && scanJson(bytes, 0, MAX_DEPTH).too_deep) {
    return "too-deep";
  }
  let value: unknown;
  try {
    value = JSON.parse(integrity === "verified" ? withoutChecksum(bytes) : decoder.decode(bytes));
  } catch {
    // SyntaxError: no JSON. RangeError or TypeError: longer than a string can be.
    return "malformed-line";
  }
  if (bytes.length > SHORTEST_DEEP_LINE && isDeeperThan(value, MAX_DEPTH)) return "too-deep";
  return decodeEvent(value, integrity, { offset, length, line }) ?? "malformed-line";
}

/** Whether the first byte that is no space is a brace: anything else is no event, and not decoded. */
function opensObject(bytes: Uint8Array): boolean {
  let at = 0;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d) at++;
  return bytes[at] === 0x7b;
}

function withoutChecksum(bytes: Uint8Array): string {
  const at = bytes.length - CHECKSUM_BYTES;
  const comma = bytes[at] as number;
  bytes[at] = 0x7d;
  const text = decoder.decode(bytes.subarray(0, at + 1));
  bytes[at] = comma;
  return text;
}
