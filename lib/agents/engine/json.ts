/**
 * Reads JSON values of an expected type. A value of another type counts as absent, because other
 * agents' records may contain anything.
 */
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";

export { parsedJson } from "../../core/event/parsed_json.ts";
export { present } from "../../core/event/present.ts";

export type Json = Readonly<Record<string, unknown>>;

export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function asTexts(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content).flatMap((part) => asText(asObject(part).text) ?? []).join("\n");
}

/** Returns a non-empty string. Undefined for other values. */
export function asName(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Returns the value if it is an object, else an empty frozen object. */
export function asObject(value: unknown): Json {
  return isObject(value) ? value : NOTHING;
}

const NOTHING: Json = Object.freeze({});
const NONE: readonly unknown[] = Object.freeze([]);

/** Returns the value if it is a list, else an empty frozen list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE;
}

/** Returns fields not in `taken`. Drops null, false, and empty texts, lists and objects. */
export function unreadFields(value: Json, taken: ReadonlySet<string>): Json {
  return Object.fromEntries(
    Object.entries(value).filter(([name, field]) => !taken.has(name) && holdsSomething(field)),
  );
}

function holdsSomething(value: unknown): boolean {
  if (typeof value !== "object") return value !== undefined && value !== "" && value !== false;
  return value !== null && Object.values(value).some(holdsSomething);
}

export function parsedObject(text: string): Record<string, unknown> | undefined {
  const value = text.trimStart().startsWith("{") ? parsedJson(text) : undefined;
  return isObject(value) ? value : undefined;
}
