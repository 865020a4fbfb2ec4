/**
 * Encodes an event as the bytes of its line.
 *
 * @module
 */
import { CHECKSUM_BYTES, checksumMember } from "./checksum.ts";
import { ENVELOPE_VERSION, isDeeperThan, labelFault, MAX_DEPTH } from "./decode.ts";
import type { Event } from "./envelope.ts";
import { whole, within } from "./guard.ts";
import { payloadFault } from "./payload_guard.ts";
import { isEventKind } from "./policy.ts";

const encoder = new TextEncoder();
const LF = 0x0a;
const ISO_TIME = /^(\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Returns the JSON of a value. Every lone surrogate becomes U+FFFD, because providers refuse the
 * escapes that `JSON.stringify` writes.
 */
function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes("\\ud")) return json;
  return json.replace(
    /\\\\|\\ud[89a-f][0-9a-f]{2}/g,
    (escape) => escape === "\\\\" ? escape : "\ufffd",
  );
}

/**
 * Returns the line of an event: fields in the format's order, a checksum, LF.
 *
 * @param event The event to write, complete with `seq` and `time`. `v` is set to the format's
 * version.
 * @returns The bytes to append.
 * @throws {TypeError} When the line would not read back as the same event. Either its kind is
 * unknown, its payload, `seq`, `time`, `turn_id` or `source` does not fit, or JSON cannot hold a
 * value, such as `NaN`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { encodeEvent } from "@reprise/reprise/pipeline";
 *
 * const line = encodeEvent({
 *   seq: 1, kind: "user_message", time: "2026-11-21T20:21:53.123Z", payload: { content: "hi" },
 * });
 * assert.match(new TextDecoder().decode(line), /^\{"v":1,"seq":1,.*"crc":"[0-9a-f]{8}"\}\n$/);
 * ```
 */
export function encodeEvent(event: Event): Uint8Array<ArrayBuffer> {
  assertEncodable(event);
  const { seq, kind, time, turn_id, source, payload } = event;
  return encodeFields({ v: ENVELOPE_VERSION, seq, kind, time, turn_id, source, payload });
}

/** Encodes fields as a line with a checksum and LF, in the order of `fields`. */
export function encodeFields(fields: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> {
  const body = encoder.encode(wellFormedJson(fields).slice(0, -1));
  const line = new Uint8Array(body.length + CHECKSUM_BYTES + 1);
  line.set(body);
  encoder.encodeInto(checksumMember(body), line.subarray(body.length));
  line[line.length - 1] = LF;
  return line;
}

function assertEncodable(event: Event): void {
  const { seq, kind, time, payload } = event;
  if (!isEventKind(kind)) {
    throw new TypeError(`Cannot encode event: the kind is unknown: "${kind}"`);
  }
  const fault = seqFault(seq) ?? labelFault(event) ?? timeFault(time) ??
    payloadFault(kind, payload);
  if (fault !== undefined) throw new TypeError(`Cannot encode ${kind}: ${fault}`);
  if (isDeeperThan(payload, MAX_DEPTH - 1)) {
    const most = MAX_DEPTH - 1;
    throw new TypeError(`Cannot encode ${kind}: the payload has more than ${most} nested levels`);
  }
  const altered = alteredValue(payload);
  if (altered !== undefined) {
    throw new TypeError(`Cannot encode ${kind}: ${within("payload", altered)}`);
  }
}

/** Returns why `JSON.stringify` alters a value, and what to pass instead. Else undefined. */
function alteredValue(value: unknown): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) {
    return `is ${value}, which JSON cannot represent. Leave the value out, or pass a string`;
  }
  if (typeof value === "bigint") {
    return "is a bigint, which JSON cannot represent. Pass new ExactNumber(String(value)), " +
      "or a string";
  }
  if (typeof value === "function" || typeof value === "symbol") return lost(`a ${typeof value}`);
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Map || value instanceof Set) return lost(`a ${value.constructor.name}`);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") {
    // What it writes of itself is its own to say.
    return JSON.stringify(value) === undefined
      ? lost("an object whose toJSON() returns no JSON value")
      : undefined;
  }
  // Not by `for in` alone, which makes a text of every index.
  if (!Array.isArray(value)) return alteredMember(value as Record<string, unknown>);
  for (let index = 0; index < value.length; index++) {
    const reason = value[index] === undefined
      ? "is undefined, which JSON cannot represent. Pass null instead"
      : alteredValue(value[index]);
    if (reason !== undefined) return within(`[${index}]`, reason);
  }
  return undefined;
}

function lost(what: string): string {
  return `is ${what}, and JSON cannot represent that. Leave the value out, or pass a plain object`;
}

function alteredMember(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const key in value) {
    const reason = alteredValue(value[key]);
    if (reason !== undefined) return within(`.${key}`, reason);
  }
  return undefined;
}

function seqFault(seq: number): string | undefined {
  const reason = whole(1)(seq);
  return reason === undefined ? undefined : `seq ${reason}`;
}

function timeFault(time: string | undefined): string | undefined {
  if (time === undefined) return undefined;
  // `Date.parse` takes more than ISO 8601, and lists sort times as text.
  return ISO_TIME.test(time) && !Number.isNaN(Date.parse(time))
    ? undefined
    : "time is not ISO 8601";
}
