/** Makes ids and times in the forms that agents use for sessions, records and calls. */
import { Buffer } from "node:buffer";

/** Returns random lower-case hexadecimal digits. `digits` must be even. */
export function hexDigits(digits: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(digits / 2))).toString("hex");
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}

/** Returns a UUID of version 7 (RFC 9562). UUIDs made later sort after it. */
export function uuidV7(now: number): string {
  const time = Math.max(0, Math.floor(now)).toString(16).padStart(12, "0").slice(-12);
  const random = hexDigits(20);
  const variant = (8 + Number.parseInt(random[3] as string, 16) % 4).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(0, 3)}`,
    `${variant}${random.slice(4, 7)}`,
    random.slice(7, 19),
  ].join("-");
}
