/**
 * The least memory that a result can take: the characters of its strings as the engine holds them,
 * one byte each, or two where one of them is beyond Latin-1. Objects are counted as nothing.
 */

// deno-lint-ignore no-control-regex -- the range is what is meant
const BEYOND_LATIN1 = /[^\x00-\xff]/;

/** Bytes of the strings in a value; of its keys, which values share, none. */
export function resultBytes(value: unknown): number {
  if (typeof value === "string") return value.length * (BEYOND_LATIN1.test(value) ? 2 : 1);
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 0;
  for (const item of Object.values(value)) bytes += resultBytes(item);
  return bytes;
}
