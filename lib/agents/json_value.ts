/**
 * Takes a value of JSON for what it should be, or for absent: other agents' records hold anything.
 */

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
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}

/** The list that a value is; an empty one when it is none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Leaves out what is undefined, for payloads whose fields are there or not. */
export function present<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value;
  return kept as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
}
