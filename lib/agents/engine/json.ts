/**
 * Takes a value of JSON for what it should be, or for absent: other agents' records hold anything.
 */
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";

export { parsedJson } from "../../core/event/parsed_json.ts";
export { present } from "../../core/event/present.ts";

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns a text; undefined for another value. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns a content as a text: itself, or the texts of its parts, one a line. */
export function asTexts(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content).flatMap((part) => asText(asObject(part).text) ?? []).join("\n");
}

/** Returns a text that is not empty; undefined for another value. */
export function asName(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a finite number; undefined for another value. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Returns an object; an empty one for another value. */
export function asObject(value: unknown): Json {
  return isObject(value) ? value : NOTHING;
}

const NOTHING: Json = Object.freeze({});
const NONE: readonly unknown[] = Object.freeze([]);

/** Returns a list; an empty one for another value. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE;
}

/** Returns the fields that are not taken and hold something: no empty text, list or object. */
export function unreadFields(value: Json, taken: ReadonlySet<string>): Json {
  return Object.fromEntries(
    Object.entries(value).filter(([name, field]) => !taken.has(name) && holdsSomething(field)),
  );
}

function holdsSomething(value: unknown): boolean {
  if (typeof value !== "object") return value !== undefined && value !== "" && value !== false;
  return value !== null && Object.values(value).some(holdsSomething);
}

/** Parses a text as a JSON object; undefined for another text. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  const value = text.trimStart().startsWith("{") ? parsedJson(text) : undefined;
  return isObject(value) ? value : undefined;
}
