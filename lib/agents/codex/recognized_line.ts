/**
 * Recognizes the record type of a rollout's line by the line's first bytes.
 *
 * Codex writes the fields of a line, and of most payloads, in one order:
 * `{"timestamp":…,"ordinal":…,"type":…,"payload":{"type":…` (0.40 and 0.169, all lines of the
 * samples). A line that begins differently is parsed.
 */
import { textPattern } from "../../core/log/byte_pattern.ts";
import type { SkippedBlock } from "../engine/records/taken_lines.ts";

const START = '{"timestamp":"';
/**
 * Pattern of the start of a record. A JSON string would contain it with escaped quotes. So a match
 * within a line is a second record, glued to the first.
 */
const RECORD_START = textPattern(START);
const CLOSING_BRACE = 0x7d;

/**
 * Cache of types that are joined from two words. Its size is limited, because a file may have any
 * number of unknown words.
 */
const JOINED = new Map<string, Map<string, string>>();
const MOST_TYPES = 1000;

export function joinedType(outer: string, inner: string): string {
  const types = JOINED.get(outer);
  const known = types?.get(inner);
  if (known !== undefined) return known;
  const type = `${outer}/${inner}`;
  if (types !== undefined) {
    if (types.size < MOST_TYPES) types.set(inner, type);
  } else if (JOINED.size < MOST_TYPES) JOINED.set(outer, new Map([[inner, type]]));
  return type;
}

/** Number of bytes at a line's start that are searched for the record's types. */
const TYPED_BYTES = 480;
/** Matches a type of at most 39 letters. All known types are shorter. */
const WORD = '"([a-z_]{0,39})"';
const TYPED = new RegExp(
  `^{"timestamp":"[^"]*"(?:,"ordinal":\\d*)?,"type":${WORD},"payload":{(?:"type":${WORD}|(?!"type":"))`,
);
const ITEM = /^,(?:"thread_id":"[^"\\]*",)?(?:"turn_id":"[^"\\]*",)?"item":\{"type":"(\w+)"/;
const ROLE = /^,(?:"status":"[^"\\]*",)?(?:"id":"[^"\\]*",)?"role":"(\w+)"/;

function typeOf(start: string): string | undefined {
  const [whole, outer, inner] = TYPED.exec(start) ?? [];
  if (whole === undefined || outer === undefined || inner === undefined) return outer;
  const type = joinedType(outer, inner);
  if (inner !== "message" && inner !== "item_completed") return type;
  const last = (inner === "message" ? ROLE : ITEM).exec(start.slice(whole.length))?.[1];
  return last === undefined ? undefined : joinedType(type, last);
}

/** The types of a line, joined by `/`, and the bytes from the first type on that identify them. */
interface KnownType {
  type: string;
  bytes: DataView;
}

const KNOWN: (KnownType | undefined)[] = new Array(256);
const PAYLOAD_TYPE = '","payload":{"type":"';
/** Types of records whose payloads have no field `type`. */
const UNTYPED: readonly KnownType[] = ["turn_context", "world_state"].map((type) => ({
  type,
  bytes: viewOf(`${type}","payload":{"`),
}));
const MARKS = [START, ',"type":"', ',"ordinal":', 'type":"'];
const [START_BYTES, TYPE_BYTES, ORDINAL_BYTES, TYPE_FIELD] = MARKS.map(viewOf);
/** Length of a record's time with milliseconds. Nearly all records have milliseconds. */
const TIME_LENGTH = 24;
/** Maximum bytes from the start of a line to the end of the bytes that identify its type. */
const LONGEST_KNOWN = 200;
const QUOTE = 0x22;

function viewOf(text: string): DataView {
  return new DataView(new TextEncoder().encode(text).buffer);
}

/**
 * Returns the types of a record, its payload and its item or role, such as
 * `event_msg/item_completed/UserMessage`. Undefined if the first bytes do not contain them.
 */
export function lineType(
  bytes: Uint8Array,
  from = 0,
  to: number = bytes.length,
  view: DataView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
): string | undefined {
  const at = from + LONGEST_KNOWN > view.byteLength ? -1 : typeStart(view, from);
  const slot = at < 0 ? 0 : slotOf(view, at);
  const known = KNOWN[slot];
  if (at >= 0 && known !== undefined && hasBytes(view, at, known.bytes)) return known.type;
  for (const { type, bytes: told } of at < 0 ? [] : UNTYPED) {
    const field = at + told.byteLength;
    if (hasBytes(view, at, told) && !hasBytes(view, field, TYPE_FIELD as DataView)) return type;
  }
  const start = bytes.subarray(from, Math.min(to, from + TYPED_BYTES));
  const type = typeOf(String.fromCharCode.apply(null, start as unknown as number[]));
  if (at >= 0 && type?.includes("/")) {
    const [outer, inner, role] = type.split("/");
    const told = outer + PAYLOAD_TYPE + inner + (role === undefined ? '"' : `","role":"${role}"`);
    const found = viewOf(told);
    if (hasBytes(view, at, found)) KNOWN[slot] = { type, bytes: found };
  }
  return type;
}

/** Returns the offset of a record's type, or -1 if the line does not begin as usual. */
function typeStart(view: DataView, from: number): number {
  const time = from + START.length;
  let at = time + TIME_LENGTH;
  if (!hasBytes(view, from, START_BYTES as DataView) || view.getUint8(at++) !== QUOTE) return -1;
  for (let word = time; word < time + TIME_LENGTH; word += 4) {
    // A byte that is a quote becomes 0, and only a 0 borrows.
    const unquoted = view.getUint32(word) ^ 0x22222222;
    if (((unquoted - 0x01010101) & ~unquoted & 0x80808080) !== 0) return -1;
  }
  if (hasBytes(view, at, ORDINAL_BYTES as DataView)) {
    at += (ORDINAL_BYTES as DataView).byteLength;
    // More digits than a safe number has would make the line unusual.
    for (let digits = 0; digits < 16 && view.getUint8(at) - 0x30 >>> 0 < 10; digits++) at++;
  }
  if (!hasBytes(view, at, TYPE_BYTES as DataView)) return -1;
  return at + (TYPE_BYTES as DataView).byteLength;
}

/**
 * Computes an index into `KNOWN`. The hash covers bytes in which payload types, roles and kinds of
 * items differ.
 */
function slotOf(view: DataView, at: number): number {
  const mixed = Math.imul(view.getUint32(at + 29, true), 0x9e3779b1) ^
    Math.imul(view.getUint32(at + 44, true), 0x85ebca6b) ^ view.getUint32(at + 50, true);
  return Math.imul(mixed, 0xc2b2ae35) >>> 24;
}

/** True if `view` contains `bytes` at the offset `start`. `bytes` must have at least four bytes. */
function hasBytes(view: DataView, start: number, bytes: DataView): boolean {
  const last = bytes.byteLength - 4;
  if (view.getUint32(start + last, true) !== bytes.getUint32(last, true)) return false;
  for (let at = 0; at < last; at += 4) {
    if (view.getUint32(start + at, true) !== bytes.getUint32(at, true)) return false;
  }
  return true;
}

/**
 * True if a line may stay unparsed. Such a line ends like a record, has no NUL, and has no second
 * record glued to it. A better test would need a checksum.
 */
export function looksWhole({ finder, has_nul }: SkippedBlock, start: number, end: number): boolean {
  const { bytes } = finder;
  if (bytes[end - 1] !== CLOSING_BRACE) return false;
  if (has_nul && bytes.subarray(start, end).includes(0)) return false;
  return finder.find(RECORD_START, start + 1, end) < 0;
}
