/** Reads values that others made, and names the place of what cannot be represented. */
import { base64FromBytes, bytesFromBase64 } from "../../event/base64.ts";
import { isObject } from "../../event/guard.ts";
import { SessionError } from "../../event/session_error.ts";

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Refuses a value. */
export function refusal(place: string, why: string): SessionError {
  const at = place.startsWith(".") ? place.slice(1) : place;
  return new SessionError(
    "invalid-event",
    `Cannot convert messages: ${at || "the request"} ${why}`,
  );
}

/** Returns an object, or refuses what is none. */
export function objectAt(value: unknown, place: string): Members {
  if (isObject(value)) return value;
  throw refusal(place, "is not an object");
}

/** Returns a list, or refuses what is none. */
export function listAt(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw refusal(place, "is not an array");
}

/** Returns the text of a member, or refuses what is none. */
export function textAt(value: Members, name: string, place: string): string {
  const text = value[name];
  if (typeof text === "string") return text;
  throw refusal(`${place}.${name}`, "is not a string");
}

/** Returns the name of a member that is not empty. */
export function nameAt(value: Members, name: string, place: string): string {
  const text = textAt(value, name, place);
  if (text !== "") return text;
  throw refusal(`${place}.${name}`, "is empty");
}

/** Names of objects that stand for what JSON has no value for. */
const BYTES = "$reprise_bytes";
const URL_TEXT = "$reprise_url";

/**
 * Returns a copy that JSON can hold. Bytes become `{ $reprise_bytes }` in base64 and URLs `{ $reprise_url }`; members
 * that are undefined are left out.
 *
 * @throws {SessionError} `invalid-event` for what JSON cannot hold, and for what holds itself.
 */
export function jsonOf(value: unknown, place: string, above: readonly object[] = []): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw refusal(place, `is ${value}, which JSON cannot hold`);
  }
  if (typeof value !== "object") throw refusal(place, `is a ${typeof value}`);
  if (value instanceof ArrayBuffer) return { [BYTES]: base64FromBytes(new Uint8Array(value)) };
  if (value instanceof Uint8Array) return { [BYTES]: base64FromBytes(value) };
  if (value instanceof URL) return { [URL_TEXT]: value.href };
  if (above.includes(value)) throw refusal(place, "holds itself");
  const within = [...above, value];
  if (Array.isArray(value)) {
    return value.map((item, index) => jsonOf(item, `${place}[${index}]`, within));
  }
  if (!isPlain(value)) throw refusal(place, "is no JSON value");
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, jsonOf(member, `${place}.${name}`, within)]),
  );
}

/** Classes of the SDKs hold data; what is made by its own rules (a date, a map) is none. */
function isPlain(value: object): boolean {
  return !(value instanceof Date || value instanceof Map || value instanceof Set) &&
    !ArrayBuffer.isView(value) && !("then" in value && typeof value.then === "function");
}

/** Returns a value as it was before {@linkcode jsonOf}. */
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
