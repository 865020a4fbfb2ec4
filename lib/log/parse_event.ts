/**
 * Bytes to one event, when they are one as a whole.
 */
import { decodeEvent, isDeeperThan, MAX_DEPTH } from "../event/decode.ts";
import type { Integrity, LinePosition, LogEvent } from "../event/envelope.ts";
import { scanJson } from "./json_scanner.ts";

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
  if (bytes.length > LONGEST_UNCHECKED_LINE && scanJson(bytes, 0, MAX_DEPTH).too_deep) {
    return "too-deep";
  }
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    // SyntaxError: no JSON. RangeError or TypeError: longer than a string can be.
    return "malformed-line";
  }
  if (bytes.length > SHORTEST_DEEP_LINE && isDeeperThan(value, MAX_DEPTH)) return "too-deep";
  return decodeEvent(value, integrity, { offset, length, line }) ?? "malformed-line";
}
