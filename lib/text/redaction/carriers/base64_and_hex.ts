/**
 * Decodes texts in base64 and in hexadecimal digits, also texts compressed by gzip or zlib. Ignores
 * runs that do not decode to text.
 */
import { gunzipSync, inflateSync } from "node:zlib";
import { SHORTEST_RUN } from "../token_runs.ts";
import type { Layer } from "./decoded_text.ts";

/** Characters tested to see if a run is text. 1 in 100,000 random runs passes. */
const SAMPLE = 16;
const LONGEST = 262_144;
/** Minimum length of a base64 line that may continue on the next line. */
const SHORTEST_LINE = 48;
const LINE_BREAK = /(?:\\{1,8}r)?\\{1,8}n|\r?\n[ \t>|+]{0,24}/y;

/** Value of each base64 character by its code. 64 for other characters. */
const BITS = new Uint8Array(256).fill(64);
for (
  const [index, character] of [
    ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  ].entries()
) {
  BITS[character.charCodeAt(0)] = index;
}
BITS["-".charCodeAt(0)] = 62;
BITS["_".charCodeAt(0)] = 63;

function bitsAt(text: string, index: number): number {
  return BITS[text.charCodeAt(index)] ?? 64;
}

function isTextByte(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13;
}

/** Decodes runs of base64, given as alternating start and end offsets. */
export function base64Texts(text: string, runs: readonly number[]): Layer[] {
  const layers: Layer[] = [];
  let done = 0;
  for (let index = 0; index + 1 < runs.length; index += 2) {
    const end = runs[index + 1] ?? 0;
    const start = Math.max(done, runs[index] ?? 0);
    // A run's rest, behind a decoded text, needs one character more.
    const least = start === done ? SHORTEST_RUN + 1 : SHORTEST_RUN;
    if (end - start >= least || (start === 0 && end >= SHORTEST_RUN)) {
      done = decodeRun(text, start, end, layers);
    }
  }
  return layers;
}

/**
 * Decodes base64 from the run's start, and after each `+`, `/`, `-` or `_` in the run. Returns the
 * end of the run, or of the last decoded text if that is later.
 */
function decodeRun(text: string, start: number, end: number, layers: Layer[]): number {
  let done = end;
  for (let at = start; at >= 0 && at + SAMPLE <= end; at = afterSign(text, at, end)) {
    if (!isBase64Text(text, at)) continue;
    const decoded = decodeFrom(text, at);
    if (decoded.text.length < SHORTEST_RUN * 3 / 4 - 1) continue;
    const { positions } = decoded;
    layers.push({ text: decoded.text, range: (from, to) => rangeOf(positions, from, to) });
    at = decoded.end;
    done = Math.max(done, at);
  }
  return done;
}

/** Returns the offset after the next `+`, `/`, `-` or `_`. −1 if there is none before `end`. */
function afterSign(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (bitsAt(text, at) >= 62) return at + 1;
  }
  return -1;
}

/** True if the base64 at `at` begins with text. The run must have at least 16 characters left. */
export function isBase64Text(text: string, at: number): boolean {
  for (let index = at; index < at + SAMPLE; index += 4) {
    const a = bitsAt(text, index);
    // ASCII has a first bit of zero.
    if (a >= 32 || a < 2) return false;
    const b = bitsAt(text, index + 1);
    const c = bitsAt(text, index + 2);
    const d = bitsAt(text, index + 3);
    if ((b | c | d) >= 64 || !isTextByte((a << 2) | (b >> 4))) return false;
    if (!isTextByte(((b & 15) << 4) | (c >> 2)) || !isTextByte(((c & 3) << 6) | d)) return false;
  }
  return true;
}

interface Decoded {
  text: string;
  /** Offset of each base64 character in the encoded text. */
  positions: number[];
  end: number;
}

/** Decodes base64. Each byte becomes one character, so that offsets can be computed. */
function decodeFrom(text: string, at: number): Decoded {
  const positions: number[] = [];
  const bytes: string[] = [];
  let bits = 0;
  let line = 0;
  let end = at;
  for (let index = at; index < text.length && positions.length < LONGEST; index++) {
    const value = bitsAt(text, index);
    if (value === 64) {
      LINE_BREAK.lastIndex = index;
      const gap = line >= SHORTEST_LINE ? LINE_BREAK.exec(text)?.[0].length : undefined;
      if (gap === undefined) break;
      index += gap - 1;
      line = 0;
      continue;
    }
    positions.push(index);
    line++;
    bits = ((bits << 6) | value) & 0xffffff;
    const phase = positions.length % 4;
    if (phase !== 1) {
      const byte = (bits >> (phase === 2 ? 4 : phase === 3 ? 2 : 0)) & 0xff;
      // Letters beyond ASCII are texts too; control characters are none.
      if (byte < 0x80 && !isTextByte(byte)) break;
      bytes.push(String.fromCharCode(byte));
    }
    end = index + 1;
  }
  return { text: bytes.join(""), positions, end };
}

/** Maps a range of decoded bytes to the encoded text. Four characters encode three bytes. */
function rangeOf(positions: readonly number[], from: number, to: number): [number, number] {
  const last = Math.max(from, to - 1);
  const first = Math.floor(from / 3) * 4 + from % 3;
  const end = Math.floor(last / 3) * 4 + last % 3 + 1;
  return [positions[first] ?? 0, (positions[end] ?? positions.at(-1) ?? 0) + 1];
}

/** Number of bytes to check for text. Fewer than one in a million hashes pass the check. */
const SAMPLE_BYTES = 16;
const DIGITS = /0?x?((?:[\dA-Fa-f]{2}){16,131072})/y;

/** Decodes runs of hex, given as alternating start and end offsets. */
export function hexTexts(text: string, runs: readonly number[]): Layer[] {
  const layers: Layer[] = [];
  for (let index = 0; index + 1 < runs.length; index += 2) {
    DIGITS.lastIndex = runs[index] ?? 0;
    const [found = "", digits = ""] = DIGITS.exec(text) ?? [];
    const decoded = decodeDigits(digits);
    if (decoded.length < SAMPLE_BYTES) continue;
    const start = (runs[index] ?? 0) + found.length - digits.length;
    layers.push({ text: decoded, range: (from, to) => [start + 2 * from, start + 2 * to] });
  }
  return layers;
}

/** Decodes hexadecimal digits until a byte is not text. Each byte becomes one character. */
function decodeDigits(digits: string): string {
  let text = "";
  for (let at = 0; at < digits.length; at += 2) {
    const byte = Number.parseInt(digits.slice(at, at + 2), 16);
    if (byte < 0x80 ? !isTextByte(byte) : text.length < SAMPLE_BYTES) break;
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Matches the start of a compressed stream in base64: gzip, or zlib at its usual levels. */
const BEGINNING = /H4sI[A-Za-z0-9+/_-]|eJ[wyzxy01]|eN[op]|eA[EHFG]/y;
/** Maximum number of unpacked bytes, because a text may be a decompression bomb. */
const MOST_BYTES = 1024 * 1024;
const LONGEST_COMPRESSED = 512 * 1024;
const SHORTEST_COMPRESSED = 40;

/** Unpacks compressed runs, given as start and end offsets. A secret maps to its whole run. */
export function compressedTexts(text: string, runs: readonly number[]): Layer[] {
  const layers: Layer[] = [];
  for (let index = 0; index + 1 < runs.length; index += 2) {
    const [start = 0, end = 0] = runs.slice(index, index + 2);
    BEGINNING.lastIndex = start;
    if (
      end - start < SHORTEST_COMPRESSED || end - start > LONGEST_COMPRESSED || !BEGINNING.test(text)
    ) continue;
    const unpacked = unpack(text.slice(start, end));
    if (unpacked !== undefined) layers.push({ text: unpacked, range: () => [start, end] });
  }
  return layers;
}

function unpack(run: string): string | undefined {
  try {
    const packed = atob(run.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
    const options = { maxOutputLength: MOST_BYTES };
    const plain = bytes[0] === 0x1f ? gunzipSync(bytes, options) : inflateSync(bytes, options);
    return new TextDecoder().decode(plain);
  } catch {
    // Not base64, another stream, a cut stream, or too large.
    return undefined;
  }
}
