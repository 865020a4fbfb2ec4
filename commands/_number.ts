/**
 * Numbers as options take them.
 */
import { InvalidArgumentError } from "npm:@commander-js/extra-typings@15.1.0";

/** Reads a whole number above 0. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("Give a whole number above 0.");
}
