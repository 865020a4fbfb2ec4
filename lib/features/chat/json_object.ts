/** Reads values of parsed JSON whose types are unknown. */

/** Returns an object; an empty one for other values. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}

/** Returns a list; an empty one for other values. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const MAX_LABEL = 256;

/** Returns a name or an id, cut to their usual length; undefined for other values. */
export function labelOf(value: unknown): string | undefined {
  return textOf(value)?.slice(0, MAX_LABEL);
}

/** Returns a count; undefined for other values. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
