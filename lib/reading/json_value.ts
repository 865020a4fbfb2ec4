/**
 * Takes a value of JSON for what it should be, or for absent: other agents' records hold anything.
 */
import { isObject } from "../event/guard.ts";

export { present } from "../event/present.ts";

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** The text that a value is. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The text that a value is, unless it is empty. */
export function asName(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The number that a value is. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The object that a value is; an empty one when it is none. */
export function asObject(value: unknown): Json {
  return isObject(value) ? value : NOTHING;
}

const NOTHING: Json = Object.freeze({});
const NONE: readonly unknown[] = Object.freeze([]);

/** The list that a value is; an empty one when it is none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE;
}

/** The object that a text is, as JSON; undefined when it is another text. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // SyntaxError: a text that begins with a brace.
    return undefined;
  }
}
