/** Formats numbers and sizes for people, in decimal units. */

/** Returns a text in decimal units: `312 B`, `4.1 KB`, `12.3 MB`. */
export function formatBytes(bytes: number): string {
  return scaleNumber(bytes, [" B", " KB", " MB", " GB", " TB"]);
}

/**
 * Returns a number in the largest unit in which it is at least 1. A scaled number below 100 has one
 * decimal.
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
