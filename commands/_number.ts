/**
 * Numbers as options take them.
 */
import { InvalidArgument } from "./_invalid_argument.ts";

/** Reads a whole number above 0. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgument("Give a whole number above 0.");
}
