/**
 * Takes a value of JSON for what it should be, or for absent: other agents' records hold anything.
 */
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";

export { parsedJson } from "../../core/event/parsed_json.ts";
export { present } from "../../core/event/present.ts";

export type Json = Readonly<Record<string, unknown>>;

/** Returns a value that is a string; undefined for other values. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns a content as text: the string itself, or its parts' texts joined by newlines. */
export function asTexts(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content).flatMap((part) => asText(asObject(part).text) ?? []).join("\n");
}

/** Returns a value that is a non-empty string; undefined for other values. */
export function asName(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a value that is a finite number; undefined for other values. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Returns a value that is an object; an empty object for other values. */
export function asObject(value: unknown): Json {
  return isObject(value) ? value : NOTHING;
}

const NOTHING: Json = Object.freeze({});
const NONE: readonly unknown[] = Object.freeze([]);

/** Returns a value that is a list; an empty list for other values. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE;
}

/** Returns the fields that are not in `taken` and not empty texts, lists or objects. */
export function unreadFields(value: Json, taken: ReadonlySet<string>): Json {
  return Object.fromEntries(
    Object.entries(value).filter(([name, field]) => !taken.has(name) && holdsSomething(field)),
  );
}

function holdsSomething(value: unknown): boolean {
  if (typeof value !== "object") return value !== undefined && value !== "" && value !== false;
  return value !== null && Object.values(value).some(holdsSomething);
}

/** Parses a text as a JSON object; undefined if it is none. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  const value = text.trimStart().startsWith("{") ? parsedJson(text) : undefined;
  return isObject(value) ? value : undefined;
}
