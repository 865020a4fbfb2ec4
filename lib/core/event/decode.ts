/**
 * Decodes a parsed JSON value into an event.
 *
 * @module
 */
import type { Integrity, LinePosition, LogEvent } from "./envelope.ts";
import { ExactNumber } from "./exact_number.ts";
import { isObject } from "./guard.ts";
import { payloadFault } from "./payload_guard.ts";
import { isEventKind } from "./policy.ts";

export const ENVELOPE_VERSION = 1;

/** The envelope version of some lines from before the first release. It means the same as 1. */
const EARLY_VERSION = 2;

export function isReadableVersion(v: unknown): boolean {
  return v === undefined || v === ENVELOPE_VERSION || v === EARLY_VERSION;
}

/** Maximum nesting depth of a line. Deeper values could overflow the stack. */
export const MAX_DEPTH = 512;

export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return !(value instanceof ExactNumber);
  // Not by `for in` alone, which makes a text of every index.
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === "object" && isDeeperThan(member, levels - 1)) return true;
  }
  return false;
}

export function labelFault(value: object): string | undefined {
  const { time, turn_id, source } = value as Record<string, unknown>;
  if (time !== undefined && typeof time !== "string") return "time is not a string";
  if (turn_id !== undefined && typeof turn_id !== "string") return "turn_id is not a string";
  if (source === undefined) return undefined;
  return isObject(source) && typeof source.session_id === "string"
    ? undefined
    : "source has no session_id";
}

/**
 * Reads a parsed line as an event. Unknown kinds and fields are kept. A payload that does not fit
 * is kept raw as `invalid`.
 *
 * @param value The result of `JSON.parse` or `parseExact`. It becomes the event: do not use it
 * afterwards.
 * @param integrity The degree to which the line's bytes can be trusted.
 * @param position The line's place, if it is in a file.
 * @returns The event. Undefined if the value is no object, or has no kind or no `seq` of at least
 * 1.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeEvent } from "@reprise/reprise/pipeline";
 *
 * const event = decodeEvent({ seq: 1, kind: "user_message", payload: { content: "hi" } });
 * assert.equal(event?.form, "known");
 * assert.equal(decodeEvent({ kind: "user_message" }), undefined);
 * ```
 */
export function decodeEvent(
  value: unknown,
  integrity: Integrity = "unverified",
  position?: LinePosition,
): LogEvent | undefined {
  if (!isObject(value)) return undefined;
  takePlainNumbers(value);
  const { seq, kind, v } = value;
  if (!Number.isSafeInteger(seq) || (seq as number) < 1) return undefined;
  if (typeof kind !== "string" || kind === "") return undefined;
  const event = value as Record<string, unknown>;
  delete event.crc;
  event.integrity = integrity;
  if (position !== undefined) event.position = position;
  else delete event.position;
  const fault = labelFault(value);
  if (!isReadableVersion(v) || !isEventKind(kind)) {
    event.form = "unknown";
    return event as unknown as LogEvent;
  }
  const reason = fault ?? payloadFault(kind, value.payload);
  if (reason === undefined) {
    event.form = "known";
  } else {
    event.form = "invalid";
    event.reason = reason;
  }
  return event as unknown as LogEvent;
}

function takePlainNumbers(value: Record<string, unknown>): void {
  const { seq, v, source } = value;
  if (seq instanceof ExactNumber) value.seq = Number(seq);
  if (v instanceof ExactNumber) value.v = Number(v);
  if (source === undefined || !isObject(source)) return;
  if (source.seq instanceof ExactNumber) source.seq = Number(source.seq);
}
