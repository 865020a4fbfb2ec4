/**
 * Reads the first bytes of a canonical line, `{"v":1,"seq":7,"kind":"assistant_message",`. A
 * verified line of an unrequested kind then stays unparsed.
 */
import { hasBytesAt } from "./bytes.ts";
import { EVENT_KINDS } from "./policy.ts";

export interface LinePrefix {
  seq: number;
  kind: string;
}

/** The kinds, by a hash of their bytes. Hashing is cheaper than decoding the kind of every line. */
const KIND_BY_HASH: ReadonlyMap<number, string> = new Map(
  EVENT_KINDS.map((kind) => [kindHash(new TextEncoder().encode(kind), 0, kind.length), kind]),
);

const HEAD = new TextEncoder().encode('{"v":1,"seq":');
const KIND = new TextEncoder().encode(',"kind":"');
const QUOTE = 0x22;
const COMMA = 0x2c;
const LONGEST_KIND = 64;

function isKindByte(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f || (byte >= 0x30 && byte <= 0x39);
}

function kindHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let index = start; index < end; index++) {
    hash = (Math.imul(hash, 31) + (bytes[index] as number)) | 0;
  }
  return hash;
}

function kindAt(line: Uint8Array, start: number, end: number): string {
  const known = KIND_BY_HASH.get(kindHash(line, start, end));
  if (known !== undefined && known.length === end - start) {
    let index = 0;
    while (index < known.length && known.charCodeAt(index) === line[start + index]) index++;
    if (index === known.length) return known;
  }
  return Array.from(line.subarray(start, end), (byte) => String.fromCharCode(byte)).join("");
}

export function readLinePrefix(line: Uint8Array, from = 0): LinePrefix | undefined {
  if (!hasBytesAt(line, HEAD, from)) return undefined;
  let index = from + HEAD.length;
  let seq = 0;
  let byte = line[index] ?? 0;
  if (byte === 0x30) return undefined;
  while (byte >= 0x30 && byte <= 0x39) {
    seq = seq * 10 + (byte - 0x30);
    byte = line[++index] ?? 0;
  }
  if (!Number.isSafeInteger(seq) || seq < 1 || !hasBytesAt(line, KIND, index)) return undefined;
  const start = index + KIND.length;
  let end = start;
  while (end - start < LONGEST_KIND && isKindByte(line[end] ?? 0)) end++;
  if (end === start || line[end] !== QUOTE || line[end + 1] !== COMMA) return undefined;
  return { seq, kind: kindAt(line, start, end) };
}

const decoder = new TextDecoder();
const TIMED_PREFIX = /^\{"v":1,"seq":\d+,"kind":"[a-z_0-9]+","time":"([^"\\]+)"/;
const LONGEST_TIMED_PREFIX = 160;

export function readLineTime(line: Uint8Array, start = 0): string | undefined {
  return decoder.decode(line.subarray(start, start + LONGEST_TIMED_PREFIX)).match(TIMED_PREFIX)
    ?.[1];
}
