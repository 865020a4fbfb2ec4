/** Shortens what calls hold, so that a long session can be replayed. Pure. */
import { ExactNumber } from "../event/exact_number.ts";
import { sanitizeLine, sanitizeText } from "../render/sanitize.ts";

/** Characters of an output or an argument that is shortened. */
export const MOST_CHARACTERS = 4096;

/** Returns the beginning of a text, and says how much is missing. */
export function shortText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const missing = text.length - MOST_CHARACTERS;
  return `${text.slice(0, MOST_CHARACTERS).toWellFormed()}\n… ${missing} more characters`;
}

/** Returns a call's arguments with their control characters visible; short ones, unless `whole`. */
export function shownInput(value: unknown, whole: boolean): unknown {
  if (typeof value === "string") return sanitizeText(whole ? value : shortText(value));
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  if (Array.isArray(value)) return value.map((one) => shownInput(one, whole));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [sanitizeLine(key), shownInput(one, whole)]),
  );
}
