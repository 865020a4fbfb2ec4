/**
 * A size as a person reads it.
 *
 * @module
 */
import { scaleNumber } from "./scaled_number.ts";

/**
 * Writes a number of bytes in decimal units.
 *
 * @param bytes The size.
 * @returns Such as `312 B`, `4.1 KB`, `12.3 MB`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatBytes } from "./byte_size.ts";
 *
 * assert.equal(formatBytes(4_096), "4.1 KB");
 * ```
 */
export function formatBytes(bytes: number): string {
  return scaleNumber(bytes, [" B", " KB", " MB", " GB", " TB"]);
}
