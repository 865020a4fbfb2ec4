/** Edits one value in the bytes of a JSON record. All other bytes stay as they were. Pure. */
import { parsedJson } from "../../core/event/parsed_json.ts";
import { skipSpace, stringEnd, valueEnd } from "../../core/log/json_bytes/values.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface Span {
  start: number;
  end: number;
}

/** Sets a member of a record. A missing member is added as the first one. */
export function withMember(bytes: Uint8Array, name: string, value: unknown): Uint8Array {
  const json = encoder.encode(JSON.stringify(value));
  const span = memberSpan(bytes, skipSpace(bytes, 0), name);
  if (span !== undefined) return spliced(bytes, span, json);
  const start = skipSpace(bytes, 0) + 1;
  const empty = bytes[skipSpace(bytes, start)] !== QUOTE;
  const member = encoder.encode(
    `${JSON.stringify(name)}:${decoder.decode(json)}${empty ? "" : ","}`,
  );
  return spliced(bytes, { start, end: start }, member);
}

/**
 * Removes items from a list of a record. `path` names the members that lead to the list.
 *
 * @returns Undefined if `path` leads to no list.
 */
export function withoutItems(
  bytes: Uint8Array,
  path: readonly string[],
  removed: ReadonlySet<number>,
): Uint8Array | undefined {
  let span: Span | undefined = { start: skipSpace(bytes, 0), end: bytes.length };
  for (const name of path) span = span && memberSpan(bytes, span.start, name);
  if (span === undefined || bytes[span.start] !== OPEN_ARRAY) return undefined;
  const kept = itemSpans(bytes, span.start).filter((_, index) => !removed.has(index));
  const list = kept.map(({ start, end }) => decoder.decode(bytes.subarray(start, end))).join(",");
  return spliced(bytes, span, encoder.encode(`[${list}]`));
}

/**
 * Replaces a value in a record. `path` holds names of members, and indexes in lists.
 *
 * @returns Undefined if `path` leads to no value.
 */
export function withValue(
  bytes: Uint8Array,
  path: readonly (string | number)[],
  value: unknown,
): Uint8Array | undefined {
  let span: Span | undefined = { start: skipSpace(bytes, 0), end: bytes.length };
  for (const step of path) {
    span = span &&
      (typeof step === "string"
        ? memberSpan(bytes, span.start, step)
        : bytes[span.start] === OPEN_ARRAY
        ? itemSpans(bytes, span.start)[step]
        : undefined);
  }
  return span && spliced(bytes, span, encoder.encode(JSON.stringify(value)));
}

function spliced(bytes: Uint8Array, { start, end }: Span, middle: Uint8Array): Uint8Array {
  const edited = new Uint8Array(bytes.length - (end - start) + middle.length);
  edited.set(bytes.subarray(0, start));
  edited.set(middle, start);
  edited.set(bytes.subarray(end), start + middle.length);
  return edited;
}

/** Finds the value of a member. Among members of one name the last counts, as in JSON. */
function memberSpan(bytes: Uint8Array, object: number, name: string): Span | undefined {
  if (bytes[object] !== OPEN_OBJECT) return undefined;
  let found: Span | undefined;
  let at = skipSpace(bytes, object + 1);
  while (bytes[at] === QUOTE) {
    const key = at;
    const key_end = stringEnd(bytes, key + 1);
    at = skipSpace(bytes, key_end);
    if (bytes[at] !== COLON) break;
    const start = skipSpace(bytes, at + 1);
    const end = valueEnd(bytes, start);
    if (end === start) break;
    if (nameAt(bytes, key, key_end) === name) found = { start, end };
    at = skipSpace(bytes, end);
    if (bytes[at] !== COMMA) break;
    at = skipSpace(bytes, at + 1);
  }
  return found;
}

function nameAt(bytes: Uint8Array, start: number, end: number): unknown {
  // The bytes may end within the name.
  return parsedJson(decoder.decode(bytes.subarray(start, end)));
}

function itemSpans(bytes: Uint8Array, list: number): Span[] {
  const spans: Span[] = [];
  let at = skipSpace(bytes, list + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_ARRAY) {
    const end = valueEnd(bytes, at);
    if (end === at) break;
    spans.push({ start: at, end });
    at = skipSpace(bytes, end);
    if (bytes[at] !== COMMA) break;
    at = skipSpace(bytes, at + 1);
  }
  return spans;
}
