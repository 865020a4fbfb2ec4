/**
 * Values of parsed JSON, of which nothing is known yet.
 */

/** The value as an object; an empty one where it is none. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}

/** The value as a list; an empty one where it is none. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a text; undefined where it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const MAX_LABEL = 256;

/** The value as a name or an id, which are short; undefined where it is no text. */
export function labelOf(value: unknown): string | undefined {
  return textOf(value)?.slice(0, MAX_LABEL);
}

/** The value as a count; undefined where it is none. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The fields of an object that have a value. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
