/** Sizes as a person reads them. */

/** Writes a number of bytes in decimal units: `312 B`, `4.1 KB`, `12.3 MB`. */
export function formatBytes(bytes: number): string {
  return scaleNumber(bytes, [" B", " KB", " MB", " GB", " TB"]);
}

/**
 * Writes a number in the largest unit that leaves something before the point, with one decimal
 * below 100.
 */
export function scaleNumber(value: number, units: readonly string[]): string {
  let scaled = value;
  let unit = 0;
  // 999.95 would be written as 1000.
  while (Math.abs(scaled) >= (unit === 0 ? 1000 : 999.5) && unit < units.length - 1) {
    scaled /= 1000;
    unit++;
  }
  const digits = unit > 0 && Math.abs(scaled) < 99.95 ? 1 : 0;
  return scaled.toFixed(digits) + (units[unit] ?? "");
}
