/**
 * Keeps the exact digits of numbers in the inputs and outputs of an agent's tools. All other
 * numbers of a record are counts, times and settings. Readers use them as plain numbers.
 */
import { hasNumber, withExactNumbers } from "../../../core/event/exact_json.ts";

/** Names of members, in any agent's format, whose values may be any JSON. */
const OPEN: ReadonlySet<string> = new Set([
  "action",
  "args",
  "arguments",
  "input",
  "output",
  "response",
  "result",
  "retained_output",
  "structured",
  "structuredContent",
]);

/**
 * Replaces numbers that JavaScript would change by exact numbers, in members named in
 * {@linkcode OPEN}.
 *
 * @param value The parsed `text`, of bounded depth. It is changed.
 * @param text The JSON text.
 */
export function keepExactMembers(value: unknown, text: string): void {
  if (!isNested(value) || !hasOpenNumber(value)) return;
  const exact = withExactNumbers(value, text);
  if (exact !== value) takeOpen(value, exact);
}

function hasOpenNumber(value: unknown): boolean {
  if (Array.isArray(value)) {
    for (const item of value) if (isNested(item) && hasOpenNumber(item)) return true;
    return false;
  }
  for (const key in value as object) {
    const member = (value as Record<string, unknown>)[key];
    if (!isNested(member)) continue;
    if (OPEN.has(key) ? hasNumber(member) : hasOpenNumber(member)) return true;
  }
  return false;
}

/** Copies members named in {@linkcode OPEN} from `exact` to `value`, which is otherwise equal. */
function takeOpen(value: unknown, exact: unknown): void {
  if (!isNested(value) || !isNested(exact)) return;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (!isNested(member)) continue;
    if (OPEN.has(key)) value[key] = exact[key];
    else takeOpen(member, exact[key]);
  }
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
