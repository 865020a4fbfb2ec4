/**
 * Reads `2026-11-22T10:00:00.000Z` from bytes as milliseconds, without a text or a date in between.
 */

/** Characters of such a time. */
export const ISO_LENGTH = 24;

const ZERO = 0x30;
const DAY_MS = 86_400_000;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_DAYS = 719_468;

/** The time at `at` in milliseconds since 1970, or NaN where none of this form stands there. */
export function isoDigits(bytes: Uint8Array, at: number): number {
  const year = digits(bytes, at, 4);
  const month = digits(bytes, at + 5, 2);
  const day = digits(bytes, at + 8, 2);
  const hour = digits(bytes, at + 11, 2);
  const minute = digits(bytes, at + 14, 2);
  const second = digits(bytes, at + 17, 2);
  const ms = digits(bytes, at + 20, 3);
  // Months of less than 31 days are left to those who know them.
  const plain = month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour < 24 && minute < 60 &&
    second < 60 && year >= 0 && ms >= 0 && bytes[at + 4] === 0x2d && bytes[at + 7] === 0x2d &&
    bytes[at + 10] === 0x54 && bytes[at + 13] === 0x3a && bytes[at + 16] === 0x3a &&
    bytes[at + 19] === 0x2e && bytes[at + 23] === 0x5a;
  if (!plain) return parsed(bytes, at);
  return daysTo(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
}

function parsed(bytes: Uint8Array, at: number): number {
  const text = String.fromCharCode(...bytes.subarray(at, at + ISO_LENGTH));
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? Date.parse(text) : NaN;
}

/** The number that digits write; -1 where one of them is none. */
function digits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index++) {
    const digit = (bytes[at + index] as number) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = 10 * value + digit;
  }
  return value;
}

/** Days since 1970-01-01, by years that begin in March. */
function daysTo(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const of_era = shifted - 400 * era;
  const of_year = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const days = 365 * of_era + Math.floor(of_era / 4) - Math.floor(of_era / 100) + of_year;
  return 146_097 * era + days - EPOCH_DAYS;
}
