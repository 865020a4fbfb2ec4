/**
 * Shortens long strings in the bytes of a JSON value, chunk by chunk. Pure. Memory is bounded, so
 * the value may be larger than memory. Bytes that are not JSON pass through.
 */
import type { LineRepair } from "../../agents/contract/session_repair.ts";

interface StringPlace {
  /** The names that lead to the string, such as `message.content[].text`. */
  path: string;
  /** Short strings that come before the current string in the record, by their paths. */
  seen: ReadonlyMap<string, string>;
}

export interface CutStringsOptions {
  /** Returns the maximum number of bytes of a string, or undefined to leave the string whole. */
  limitOf(place: StringPlace): number | undefined;
  /** Returns the text that replaces cut bytes, in plain ASCII. */
  note(bytes: number): string;
}

interface Container {
  list: boolean;
  key: string;
}

export interface StringCutter {
  readonly options: CutStringsOptions;
  readonly note_bytes: number;
  readonly stack: Container[];
  readonly seen: Map<string, string>;
  /** Output buffer, reused for each chunk. Its first `filled` bytes are valid. */
  out: Uint8Array;
  filled: number;
  cut: number;
  in_string: boolean;
  is_key: boolean;
  key_next: boolean;
  /** The first bytes of the current string. */
  text: number[];
  /** Number of bytes of the current string so far, including bytes that are cut. */
  length: number;
  limit: number;
  /**
   * Bytes of the current string after the place where it would be cut. They are written if the
   * string ends within its limit.
   */
  held: number[];
  dropped: number;
  /** State of an escape: 0 outside, 1 after the backslash, else hex digits to come plus one. */
  escape: number;
  digits: string;
  /** True if the last character was the first half of a surrogate pair. */
  half: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;
/** Maximum bytes of a string kept in `seen`. Strings that name a record's kind are short. */
const SEEN_BYTES = 64;
/** Maximum nesting, and maximum number of strings in `seen`. Protects against hostile input. */
const MOST_DEPTH = 512;
const MOST_SEEN = 1000;
/** Number of bytes of the longest character: a surrogate pair written as two escapes. */
const LONGEST_CHARACTER = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function encodedNote({ note }: CutStringsOptions, bytes: number): Uint8Array {
  return encoder.encode(JSON.stringify(note(bytes)).slice(1, -1));
}

/** Returns the state for cutting a JSON value. Each limit must exceed the length of the note. */
export function startCutter(options: CutStringsOptions): StringCutter {
  return {
    options,
    note_bytes: encodedNote(options, Number.MAX_SAFE_INTEGER).length,
    stack: [],
    seen: new Map(),
    out: new Uint8Array(0),
    filled: 0,
    cut: 0,
    in_string: false,
    is_key: false,
    key_next: false,
    text: [],
    length: 0,
    limit: Infinity,
    held: [],
    dropped: 0,
    escape: 0,
    digits: "",
    half: false,
  };
}

/** Cuts the strings of a chunk. The result is valid until the next chunk. */
export function cutChunk(cutter: StringCutter, chunk: Uint8Array): Uint8Array {
  // Each note stands for a string that took more bytes, but for the first, which began before.
  const room = 2 * chunk.length + 2 * (cutter.note_bytes + LONGEST_CHARACTER);
  // A new buffer for each chunk would wait for the garbage collector.
  if (cutter.out.length < room) cutter.out = new Uint8Array(room);
  cutter.filled = 0;
  for (let at = 0; at < chunk.length; at++) {
    const byte = chunk[at] as number;
    if (cutter.in_string) takeText(cutter, byte);
    else takeOther(cutter, byte);
  }
  return cutter.out.subarray(0, cutter.filled);
}

function put(cutter: StringCutter, byte: number): void {
  cutter.out[cutter.filled++] = byte;
}

function pathOf({ stack }: StringCutter): string {
  let path = "";
  for (const { list, key } of stack) path += list ? "[]" : (path === "" ? key : `.${key}`);
  return path;
}

function takeOther(cutter: StringCutter, byte: number): void {
  const { stack } = cutter;
  put(cutter, byte);
  if (byte === QUOTE) {
    beginString(cutter);
  } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    if (stack.length < MOST_DEPTH) stack.push({ list: byte === OPEN_ARRAY, key: "" });
    cutter.key_next = byte === OPEN_OBJECT;
  } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
    stack.pop();
    cutter.key_next = false;
  } else if (byte === COLON) {
    cutter.key_next = false;
  } else if (byte === COMMA) {
    cutter.key_next = stack.at(-1)?.list === false;
  }
}

function beginString(cutter: StringCutter): void {
  const { options, seen } = cutter;
  cutter.in_string = true;
  cutter.is_key = cutter.key_next;
  cutter.text = [];
  cutter.length = 0;
  cutter.dropped = 0;
  cutter.half = false;
  const limit = cutter.is_key ? undefined : options.limitOf({ path: pathOf(cutter), seen });
  cutter.limit = limit ?? Infinity;
}

function takeText(cutter: StringCutter, byte: number): void {
  if (cutter.escape === 0 && byte === QUOTE) return endString(cutter);
  const { held, length, limit, note_bytes } = cutter;
  if (cutter.dropped > 0) {
    cutter.dropped++;
  } else if (held.length > 0 || (length + note_bytes >= limit && beginsCharacter(cutter, byte))) {
    held.push(byte);
    if (length >= limit) {
      cutter.dropped = held.length;
      cutter.held = [];
    }
  } else {
    put(cutter, byte);
  }
  cutter.length++;
  if (length < SEEN_BYTES) cutter.text.push(byte);
  followEscape(cutter, byte);
}

/** True if a byte begins a character, so that a cut before the byte splits no character. */
function beginsCharacter({ escape, half }: StringCutter, byte: number): boolean {
  return escape === 0 && (byte & 0xc0) !== 0x80 && !(half && byte === BACKSLASH);
}

function followEscape(cutter: StringCutter, byte: number): void {
  if (cutter.escape === 0) {
    if (byte === BACKSLASH) cutter.escape = 1;
    else cutter.half = false;
  } else if (cutter.escape === 1) {
    cutter.escape = byte === LOWER_U ? 5 : 0;
    cutter.digits = "";
    if (cutter.escape === 0) cutter.half = false;
  } else {
    cutter.digits += String.fromCharCode(byte);
    cutter.escape = cutter.escape === 2 ? 0 : cutter.escape - 1;
    if (cutter.escape === 0) cutter.half = !cutter.half && /^d[89ab]/i.test(cutter.digits);
  }
}

function endString(cutter: StringCutter): void {
  const { held, dropped, is_key, stack, seen } = cutter;
  if (dropped > 0) cutter.cut++;
  const rest = dropped > 0 ? encodedNote(cutter.options, dropped) : held;
  for (const byte of rest) put(cutter, byte);
  put(cutter, QUOTE);
  cutter.held = [];
  cutter.in_string = false;
  if (cutter.length > SEEN_BYTES) return;
  const short = decoder.decode(new Uint8Array(cutter.text));
  const container = stack.at(-1);
  if (is_key && container !== undefined) container.key = short;
  else if (seen.size < MOST_SEEN) seen.set(pathOf(cutter), short);
}

/** The smallest limit for a tool's output. It fits the note about cut bytes and some output. */
export const LEAST_TRIM_BYTES = 1024;

export function startTrim({ isOutput }: LineRepair, most_bytes: number): StringCutter {
  return startCutter({
    limitOf: ({ path, seen }) => isOutput(path, seen) ? most_bytes : undefined,
    note: (bytes) => `\n[${bytes} bytes were cut off by reprise repair]`,
  });
}

export function trimmedRecord(
  repair: LineRepair,
  bytes: Uint8Array,
  most_bytes: number,
): { bytes: Uint8Array; cut: number } {
  if (bytes.length <= most_bytes) return { bytes, cut: 0 };
  const cutter = startTrim(repair, most_bytes);
  const trimmed = cutChunk(cutter, bytes);
  return cutter.cut === 0 ? { bytes, cut: 0 } : { bytes: trimmed, cut: cutter.cut };
}
