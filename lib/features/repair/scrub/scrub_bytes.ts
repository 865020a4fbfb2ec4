/**
 * Replaces secrets in the bytes of JSON documents, JSON lines and texts, also in UTF-16. Lines stay
 * lines, and JSON stays JSON.
 */
import { checkLine } from "../../../core/event/checksum.ts";
import { encodeFields } from "../../../core/event/encode.ts";
import { parseExact } from "../../../core/event/exact_json.ts";
import { isObject } from "../../../core/event/guard.ts";
import type { ScrubbedBytes } from "../../../library/machine/kept/scrubbed_copies.ts";

/** Replaces secrets in all strings of a JSON value; returns the same value if none is found. */
export type ScrubValue = (value: unknown) => unknown;

const LF = 0x0a;
const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns undefined if the bytes have no secrets. */
export function scrubBytes(bytes: Uint8Array, scrub: ScrubValue): ScrubbedBytes | undefined {
  const wide = wideForm(bytes);
  if (wide !== undefined) return scrubWhole(bytes, scrub, wide.decode, wide.encode);
  if (!isUtf8(bytes)) return scrubWhole(bytes, scrub, latinText, latinBytes);
  const first = bytes.find((byte) => byte > 0x20);
  if (first === 0x7b || first === 0x5b) {
    const document = scrubDocument(bytes, scrub);
    if (document !== "lines") return document;
    return scrubLines(bytes, scrub);
  }
  return scrubWhole(bytes, scrub, (one) => strict.decode(one), (text) => encoder.encode(text));
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    // Binary, or damaged.
    return false;
  }
}

function scrubWhole(
  before: Uint8Array,
  scrub: ScrubValue,
  decode: (bytes: Uint8Array) => string,
  encode: (text: string) => Uint8Array,
): ScrubbedBytes | undefined {
  const text = decode(before);
  const scrubbed = scrub(text);
  if (scrubbed === text) return undefined;
  const bytes = encode(String(scrubbed));
  return {
    bytes,
    // A text may have a secret over several lines, so its start is scrubbed again by itself.
    offset(at): number {
      return at >= before.length
        ? bytes.length
        : encode(String(scrub(decode(before.subarray(0, at)))))
          .length;
    },
  };
}

/**
 * Scrubs one JSON document, and keeps its indentation. Returns `lines` if the bytes are JSON lines.
 */
function scrubDocument(before: Uint8Array, scrub: ScrubValue): ScrubbedBytes | undefined | "lines" {
  // The first line of JSON lines is a whole value.
  const end = before.indexOf(LF);
  if (end >= 0 && before.subarray(end).some((byte) => byte > 0x20)) {
    if (parsed(strict.decode(before.subarray(0, end))) !== undefined) return "lines";
  }
  const text = strict.decode(before);
  const value = parsed(text);
  if (value === undefined || !text.trimEnd().includes("\n") && checkLine(before) !== "unverified") {
    return "lines";
  }
  const scrubbed = scrub(value);
  if (scrubbed === value) return undefined;
  const indent = /^\s*[[{]\r?\n([ \t]+)/.exec(text)?.[1];
  const tail = /\s*$/.exec(text)?.[0] ?? "";
  const bytes = encoder.encode(JSON.stringify(scrubbed, undefined, indent) + tail);
  return { bytes, offset: () => bytes.length };
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    // No JSON, or several values.
    return undefined;
  }
}

function scrubLines(before: Uint8Array, scrub: ScrubValue): ScrubbedBytes | undefined {
  const pieces: Uint8Array[] = [];
  const places: [before: number, after: number][] = [];
  let [length, changed] = [0, false];
  for (let start = 0; start < before.length;) {
    const end = before.indexOf(LF, start);
    const stop = end < 0 ? before.length : end;
    const line = before.subarray(start, stop);
    const scrubbed = scrubLine(line, scrub);
    changed ||= scrubbed !== line;
    places.push([start, length]);
    pieces.push(scrubbed, before.subarray(stop, Math.min(stop + 1, before.length)));
    length += scrubbed.length + Number(end >= 0);
    start = stop + 1;
  }
  if (!changed) return undefined;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  places.push([before.length, length]);
  return { bytes, offset: (at) => places.findLast(([from]) => from <= at)?.[1] ?? 0 };
}

function scrubLine(line: Uint8Array, scrub: ScrubValue): Uint8Array {
  const text = strict.decode(line);
  const value = parsed(text);
  if (value === undefined || typeof value !== "object") {
    const scrubbed = scrub(text);
    return scrubbed === text ? line : encoder.encode(String(scrubbed));
  }
  const scrubbed = scrub(value);
  if (scrubbed === value) return line;
  if (isObject(scrubbed) && checkLine(line) === "verified") {
    const { crc: _, ...event } = scrubbed;
    return encodeFields(event).subarray(0, -1);
  }
  return encoder.encode(JSON.stringify(scrubbed) + (text.endsWith("\r") ? "\r" : ""));
}

interface WideForm {
  decode: (bytes: Uint8Array) => string;
  encode: (text: string) => Uint8Array;
}

const SAMPLE = 64;

/**
 * Returns a decoder and an encoder for UTF-16, with or without a byte order mark. Returns undefined
 * for bytes in another encoding.
 */
function wideForm(bytes: Uint8Array): WideForm | undefined {
  const [a, b] = bytes;
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = (odd: number): boolean =>
    sample.length >= 8 && sample.every((byte, index) => (byte === 0) === (index % 2 === odd));
  const little = (a === 0xff && b === 0xfe) || zeros(1);
  if (!little && !(a === 0xfe && b === 0xff) && !zeros(0)) return undefined;
  if (bytes.length % 2 === 1) return undefined;
  const view = (one: Uint8Array): DataView =>
    new DataView(one.buffer, one.byteOffset, one.byteLength);
  return {
    decode(from): string {
      const units = view(from);
      return Array.from(
        { length: from.length >> 1 },
        (_, index) => String.fromCharCode(units.getUint16(2 * index, little)),
      ).join("");
    },
    encode(text): Uint8Array {
      const made = new Uint8Array(2 * text.length);
      const units = view(made);
      for (let at = 0; at < text.length; at++) units.setUint16(2 * at, text.charCodeAt(at), little);
      return made;
    },
  };
}

function latinText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function latinBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
