/**
 * Computes and checks the checksum of a line. Its last 18 bytes are `,"crc":"` + 8 lower-case hex +
 * `"}`, the CRC-32 of all bytes before them. It finds accidents, not forgery.
 */
import { crc32 } from "node:zlib";
import { hasBytesAt } from "./bytes.ts";

export const CHECKSUM_BYTES = 18;

const OPENING = new TextEncoder().encode(',"crc":"');
const QUOTE = 0x22;
const CLOSING_BRACE = 0x7d;

export type ChecksumState = "verified" | "unverified" | "mismatch";

/** Maximum wrong characters in an ending that still counts as a damaged checksum. */
const MOST_WRONG = 2;

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  if (byte >= 0x61 && byte <= 0x66) return byte - 0x57;
  return -1;
}

function statedChecksum(bytes: Uint8Array, from: number, end: number): number | undefined {
  const start = end - CHECKSUM_BYTES;
  if (start <= from) return undefined;
  if (bytes[end - 1] !== CLOSING_BRACE || bytes[end - 2] !== QUOTE) return undefined;
  if (!hasBytesAt(bytes, OPENING, start)) return undefined;
  let stated = 0;
  for (let index = 0; index < 8; index++) {
    const digit = hexDigit(bytes[start + OPENING.length + index]);
    if (digit < 0) return undefined;
    stated = stated * 16 + digit;
  }
  return stated;
}

function isAlmostChecksum(bytes: Uint8Array, from: number, end: number): boolean {
  const start = end - CHECKSUM_BYTES;
  if (start <= from) return false;
  let wrong = Number(bytes[end - 1] !== CLOSING_BRACE) + Number(bytes[end - 2] !== QUOTE);
  for (let index = 0; index < CHECKSUM_BYTES - 2 && wrong <= MOST_WRONG; index++) {
    const byte = bytes[start + index];
    const fits = index < OPENING.length ? byte === OPENING[index] : hexDigit(byte) >= 0;
    if (!fits) wrong++;
  }
  return wrong <= MOST_WRONG;
}

/**
 * Checks a line, without its newline, against its checksum if it has one. A damaged checksum is a
 * `mismatch` too, because the rest of the line may also be damaged.
 */
export function checkLine(
  bytes: Uint8Array,
  start = 0,
  end: number = bytes.length,
): ChecksumState {
  const stated = statedChecksum(bytes, start, end);
  if (stated === undefined) {
    return isAlmostChecksum(bytes, start, end) ? "mismatch" : "unverified";
  }
  return crc32(bytes.subarray(start, end - CHECKSUM_BYTES)) === stated ? "verified" : "mismatch";
}

/** Returns the checksum member of a line. `body` is the line without its closing brace. */
export function checksumMember(body: Uint8Array): string {
  return `,"crc":"${crc32(body).toString(16).padStart(8, "0")}"}`;
}
