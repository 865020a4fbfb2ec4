/** Parses bytes that are, as a whole, one event. */
import { CHECKSUM_BYTES } from "../event/checksum.ts";
import { decodeEvent, isDeeperThan, MAX_DEPTH } from "../event/decode.ts";
import { hasNumber, withExactNumbers } from "../event/exact_json.ts";
import type { Integrity, LinePosition, LogEvent } from "../event/envelope.ts";
import { isObject } from "../event/guard.ts";
import { isEventKind } from "../event/policy.ts";
import { scanJson } from "./json_bytes/scan_json.ts";

const decoder = new TextDecoder();
/** Minimum bytes of a line whose values can be nested too deep. */
const SHORTEST_DEEP_LINE = 2 * MAX_DEPTH;
/** Maximum bytes of a line to parse unchecked. Nested JSON costs a parser ~100 bytes a level. */
const LONGEST_UNCHECKED_LINE = 1024 * 1024;

export function parseEvent(
  bytes: Uint8Array,
  integrity: Integrity,
  { offset, length, line }: LinePosition,
): LogEvent | "malformed-line" | "too-deep" {
  if (!opensObject(bytes)) return "malformed-line";
  if (bytes.length > LONGEST_UNCHECKED_LINE && scanJson(bytes, 0, MAX_DEPTH).too_deep) {
    return "too-deep";
  }
  let text: string;
  let value: unknown;
  try {
    text = integrity === "verified" ? withoutChecksum(bytes) : decoder.decode(bytes);
    value = JSON.parse(text);
  } catch {
    // SyntaxError: no JSON. RangeError or TypeError: longer than a string can be.
    return "malformed-line";
  }
  if (bytes.length > SHORTEST_DEEP_LINE && isDeeperThan(value, MAX_DEPTH)) return "too-deep";
  if (hasOpenNumber(value)) value = withExactNumbers(value, text);
  return decodeEvent(value, integrity, { offset, length, line }) ?? "malformed-line";
}

/** Payload fields of known kinds that are plain numbers. Their notation is not preserved. */
const PLAIN: ReadonlySet<string> = new Set([
  "context_limit",
  "context_used",
  "cost_usd",
  "duration_ns",
  "exit_code",
  "first_kept_seq",
  "from_seq",
  "lines",
  "message_count",
  "target_seq",
  "through_seq",
  "tokens_after",
  "tokens_before",
  "turn_count",
  "usage",
]);

/**
 * True if an event has a number in a field that may hold any JSON value. The original notation of
 * such a number must be kept.
 */
function hasOpenNumber(value: unknown): boolean {
  if (!isObject(value)) return false;
  const plain = typeof value.kind === "string" && isEventKind(value.kind) ? PLAIN : undefined;
  for (const field in value) {
    const member = value[field];
    if (field === "payload") {
      if (hasNumber(member, plain)) return true;
    } else if (field !== "seq" && field !== "v" && hasNumber(member)) return true;
  }
  return false;
}

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
