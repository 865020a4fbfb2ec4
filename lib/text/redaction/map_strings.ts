/** Maps all strings of a JSON value: values and keys, at any depth. */
import { MAX_DEPTH } from "../../core/event/decode.ts";
import { ExactNumber } from "../../core/event/exact_number.ts";
import { isObject } from "../../core/event/guard.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { findSecrets } from "./find_secrets.ts";
import { KEY_ANCHOR, privateKeys } from "./private_key.ts";
import type { SecretSpan, StraddlingPiece } from "./secret_span.ts";

export interface StringPlace {
  /** Path of the field: `payload.input.headers[2]`. */
  field: string;
  /** The key, flag or name that describes the string. */
  name?: string | undefined;
  /** Pieces of secrets that continue in neighbouring strings. */
  pieces?: readonly StraddlingPiece[] | undefined;
}

type MapString = (text: string, place: StringPlace) => string;

const LONGEST_KEY = 64;

/**
 * Returns the same value if no string changes.
 *
 * @throws {SessionError} `damaged` for a value that is not JSON, or nested too deep
 */
export function mapStrings(
  value: unknown,
  place: StringPlace,
  map: MapString,
  depth = 0,
): unknown {
  if (typeof value === "string") return map(value, place);
  if (value === null || value === undefined) return value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (value instanceof ExactNumber) return value;
  if (depth > MAX_DEPTH) {
    throw unreadable(place, `the value has more than ${MAX_DEPTH} nested levels`);
  }
  if (Array.isArray(value)) return mapArray(value, place, map, depth);
  if (isPlain(value)) return mapObject(value, place, map, depth);
  throw unreadable(place, "the value is not JSON");
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function unreadable({ field }: StringPlace, reason: string): SessionError {
  return new SessionError("damaged", `Cannot check ${field} for secrets: ${reason}`);
}

function mapArray(
  items: readonly unknown[],
  place: StringPlace,
  map: MapString,
  depth: number,
): unknown {
  const pieces = straddling(items);
  const mapped = items.map((item, index) => {
    const name = nameBefore(items, index) ?? (typeof item === "string" ? place.name : undefined);
    const own = { field: `${place.field}[${index}]`, name, pieces: pieces.get(index) };
    return mapStrings(item, own, map, depth + 1);
  });
  return mapped.every((item, index) => item === items[index]) ? items : mapped;
}

/** Returns the name that precedes an item: `["--token", "…"]`, `["Authorization", "…"]`. */
function nameBefore(items: readonly unknown[], index: number): string | undefined {
  const before = items[index - 1];
  if (typeof before !== "string" || typeof items[index] !== "string") return undefined;
  return /^(?:--?[A-Za-z][\w-]{1,60}|(?:Proxy-)?Authorization|(?:Set-)?Cookie|X-[\w-]{1,60})$/i
      .test(before)
    ? before
    : undefined;
}

function mapObject(
  value: Readonly<Record<string, unknown>>,
  place: StringPlace,
  map: MapString,
  depth: number,
): unknown {
  const taken = new Set<string>();
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const name = map(key, { field: `${place.field} (a key)` });
    const unique = uniqueKey(name, key, value, taken);
    const inner: StringPlace = {
      field: `${place.field}.${shortKey(name)}`,
      name: nameOf(value, key, place),
      pieces: /^(?:text|content|delta)$/.test(key) ? place.pieces : undefined,
    };
    const mapped = isImageData(value, key, item) ? item : mapStrings(item, inner, map, depth + 1);
    changed ||= unique !== key || mapped !== item;
    return [unique, mapped];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** Keeps mapped keys unique, because equal keys would lose a value. */
function uniqueKey(
  name: string,
  key: string,
  value: Readonly<Record<string, unknown>>,
  taken: Set<string>,
): string {
  let unique = name;
  for (
    let copy = 2;
    taken.has(unique) || (unique !== key && Object.hasOwn(value, unique));
    copy++
  ) {
    unique = `${name} (${copy})`;
  }
  taken.add(unique);
  return unique;
}

/** Keys come from the session and may be of any length. */
function shortKey(key: string): string {
  return key.length <= LONGEST_KEY ? key : `${key.slice(0, LONGEST_KEY).toWellFormed()}…`;
}

/** Returns the name of a field's value: its key, or the `name` beside it in `{ name, value }`. */
function nameOf(
  value: Readonly<Record<string, unknown>>,
  key: string,
  place: StringPlace,
): string | undefined {
  if (/^(?:value|val|content|text|data|current|default)$/i.test(key)) {
    for (const label of ["name", "key", "header", "variable"]) {
      const beside = Object.hasOwn(value, label) ? value[label] : undefined;
      if (key.toLowerCase() === "value" && typeof beside === "string") return beside;
    }
    return place.name;
  }
  return key;
}

const BASE64 = /^[A-Za-z0-9+/=_-]*$/;

/** True for the base64 of an image, audio, video or font, which is not searched. */
function isImageData(
  value: Readonly<Record<string, unknown>>,
  key: string,
  item: unknown,
): boolean {
  if (key !== "data" || typeof item !== "string") return false;
  const type = value.media_type ?? value.mimeType ?? value.mime_type;
  if (typeof type !== "string" || !/^(?:image|audio|video|font)\//.test(type)) return false;
  return BASE64.test(item);
}

/** Finds secrets that span several items. Returns the pieces by item index. */
function straddling(items: readonly unknown[]): Map<number, StraddlingPiece[]> {
  const pieces = new Map<number, StraddlingPiece[]>();
  const texts = items.map(textOf);
  if (texts.filter((text) => text !== undefined && text !== "").length < 2) return pieces;
  // Fragments continue each other; lines of a key have lost their line feeds.
  const joined = texts.map((text) => text ?? "\n").join("");
  split(texts, joined, 0, findSecrets(joined, { fixed: true }), pieces);
  if (joined.includes(KEY_ANCHOR)) {
    const lines = texts.map((text) => text ?? "").join("\n");
    split(texts, lines, 1, privateKeys(lines), pieces);
  }
  return pieces;
}

function textOf(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  if (typeof item !== "object" || item === null) return undefined;
  // A message does not continue the one before it.
  if (Object.hasOwn(item, "role") || Object.hasOwn(item, "timestamp")) return undefined;
  for (const key of ["text", "content", "delta"]) {
    if (!Object.hasOwn(item, key)) continue;
    const text = (item as Record<string, unknown>)[key];
    if (typeof text === "string") return text;
  }
  return undefined;
}

/** Splits secrets found in `joined` into pieces by text. `gap` is the space between two `texts`. */
function split(
  texts: readonly (string | undefined)[],
  joined: string,
  gap: number,
  found: readonly SecretSpan[],
  pieces: Map<number, StraddlingPiece[]>,
): void {
  const spans = found.toSorted((a, b) => a.start - b.start);
  let offset = 0;
  let first = 0;
  for (const [index, text] of texts.entries()) {
    const length = text?.length ?? (gap === 0 ? 1 : 0);
    while (first < spans.length && (spans[first]?.end ?? 0) <= offset) first++;
    for (let at = first; at < spans.length; at++) {
      const span = spans[at];
      if (span === undefined || span.start >= offset + length) break;
      const start = Math.max(span.start - offset, 0);
      const end = Math.min(span.end - offset, length);
      const whole = span.start >= offset && span.end <= offset + length;
      if (whole || start >= end || text === undefined) continue;
      const secret = joined.slice(span.start, span.end);
      const own = pieces.get(index) ?? [];
      own.push({ ...span, start, end, secret });
      pieces.set(index, own);
    }
    offset += length + gap;
  }
}
