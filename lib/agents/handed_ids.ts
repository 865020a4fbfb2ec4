/** Makes the ids of sessions, records and calls that are handed over. */

/** Returns so many random bytes in lower-case hexadecimal. */
export function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Returns a UUID of version 7, which begins with the time (RFC 9562, section 5.7).
 *
 * @param now Unix milliseconds.
 */
export function uuidV7(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  const random = randomHex(10);
  // Two bits of the variant: 8, 9, a or b.
  const variant = (8 + (parseInt(random[3] ?? "0", 16) & 3)).toString(16);
  const third = `7${random.slice(0, 3)}`;
  const fourth = `${variant}${random.slice(4, 7)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-${third}-${fourth}-${random.slice(7, 19)}`;
}

/** Returns an id of a call that every model server takes: letters, digits and `_`, at most 64. */
export function newCallId(): string {
  return `call_${randomHex(12)}`;
}

/** Returns a maker of ids of eight hexadecimal digits, none of them twice. */
export function shortIds(): () => string {
  let next = parseInt(randomHex(4), 16);
  return () => {
    const id = next.toString(16).padStart(8, "0");
    next = (next + 1) % 2 ** 32;
    return id;
  };
}
