/**
 * Parses `2026-11-22T10:00:00.000Z` from bytes as milliseconds. Mostly creates no string and no
 * `Date`, because it caches the last day.
 */

export const ISO_LENGTH = 24;

const ZERO = 0x30;

/** The date read last. `day_start` is its start in ms. Consecutive records mostly share a date. */
const day_read = new Uint8Array(10);
let day_start = 0;

/** Returns the time at `at` in ms since 1970. NaN if its form is not `2026-01-31T12:00:00.000Z`. */
export function isoDigits(bytes: Uint8Array, at: number): number {
  const start = dayStart(bytes, at);
  const hour = digits(bytes, at + 11, 2);
  const minute = digits(bytes, at + 14, 2);
  const second = digits(bytes, at + 17, 2);
  const ms = digits(bytes, at + 20, 3);
  const plain = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 &&
    second < 60 && ms >= 0 && bytes[at + 10] === 0x54 && bytes[at + 13] === 0x3a &&
    bytes[at + 16] === 0x3a && bytes[at + 19] === 0x2e && bytes[at + 23] === 0x5a;
  return plain ? start + ((hour * 60 + minute) * 60 + second) * 1000 + ms : NaN;
}

function dayStart(bytes: Uint8Array, at: number): number {
  let same = 0;
  while (same < day_read.length && bytes[at + same] === day_read[same]) same++;
  if (same === day_read.length) return day_start;
  const text = String.fromCharCode(...bytes.subarray(at, at + day_read.length));
  const start = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : NaN;
  if (!Number.isNaN(start)) {
    day_read.set(bytes.subarray(at, at + day_read.length));
    day_start = start;
  }
  return start;
}

function digits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index++) {
    const digit = (bytes[at + index] as number) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = 10 * value + digit;
  }
  return value;
}
