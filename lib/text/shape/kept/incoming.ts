/** Checks values from outside. An error names the path of the invalid value: `messages[3].role`. */
import { base64FromBytes, bytesFromBase64 } from "../../../core/event/base64.ts";
import { isObject } from "../../../core/event/guard.ts";
import { SessionError } from "../../../core/event/session_error.ts";

export type Members = Readonly<Record<string, unknown>>;

export function refusal(place: string, why: string): SessionError {
  const at = place.startsWith(".") ? place.slice(1) : place;
  return unconvertible(`${at || "the request"} ${why}`);
}

export function unconvertible(reason: string): SessionError {
  return new SessionError("invalid-event", `Cannot convert messages: ${reason}`);
}

export function objectAt(value: unknown, place: string): Members {
  if (isObject(value)) return value;
  throw refusal(place, "is not an object");
}

export function listAt(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw refusal(place, "is not an array");
}

export function textAt(value: Members, name: string, place: string): string {
  const text = value[name];
  if (typeof text === "string") return text;
  throw refusal(`${place}.${name}`, "is not a string");
}

export function nameAt(value: Members, name: string, place: string): string {
  const text = textAt(value, name, place);
  if (text !== "") return text;
  throw refusal(`${place}.${name}`, "is empty");
}

/** Member names that stand for values that JSON cannot hold: bytes and URLs. */
const BYTES = "$reprise_bytes";
const URL_TEXT = "$reprise_url";

/**
 * Returns a copy in JSON. Bytes become `{ $reprise_bytes }` in base64, and URLs `{ $reprise_url }`.
 * Undefined members are left out.
 *
 * @throws {SessionError} `invalid-event` for values that JSON cannot hold, and for cycles.
 */
export function jsonOf(value: unknown, place: string, above: readonly object[] = []): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw refusal(place, `is ${value}, which JSON cannot represent`);
  }
  if (typeof value !== "object") throw refusal(place, `is a ${typeof value}`);
  if (value instanceof ArrayBuffer) return { [BYTES]: base64FromBytes(new Uint8Array(value)) };
  if (value instanceof Uint8Array) return { [BYTES]: base64FromBytes(value) };
  if (value instanceof URL) return { [URL_TEXT]: value.href };
  if (above.includes(value)) throw refusal(place, "contains itself");
  const within = [...above, value];
  if (Array.isArray(value)) {
    return value.map((item, index) => jsonOf(item, `${place}[${index}]`, within));
  }
  if (!isPlain(value)) throw refusal(place, "is not a JSON value");
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, jsonOf(member, `${place}.${name}`, within)]),
  );
}

/**
 * True for an object that holds data, such as an instance of an SDK's class. False for dates, maps,
 * sets, buffer views and promises.
 */
function isPlain(value: object): boolean {
  return !(value instanceof Date || value instanceof Map || value instanceof Set) &&
    !ArrayBuffer.isView(value) && !("then" in value && typeof value.then === "function");
}

/** Converts JSON from {@linkcode jsonOf} back to the original value. */
export function valueOf<Value>(json: Value): Value {
  return madeValue(json) as Value;
}

function madeValue(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(madeValue);
  if (!isObject(json)) return json;
  const members = Object.entries(json);
  const [[name, value] = [undefined, undefined]] = members;
  if (members.length === 1 && typeof value === "string") {
    if (name === BYTES) return bytesOf(value);
    if (name === URL_TEXT && URL.canParse(value)) return new URL(value);
  }
  return Object.fromEntries(members.map(([key, member]) => [key, madeValue(member)]));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytesFromBase64(base64));
}
