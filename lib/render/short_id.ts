/**
 * The beginning of an id by which a person names a session.
 *
 * @module
 */
import { sanitizeLine } from "./sanitize.ts";

const LENGTH = 8;
const OWN_AGENT = "reprise";

/**
 * Short ids of sessions, in their order: eight characters of each, or as many as tell it from the
 * others (some agents' ids begin with a date), behind the agent's name where it is not Reprise.
 */
export function shortIds(rows: readonly { agent: string; session_id: string }[]): string[] {
  const names = rows.map((row) =>
    row.agent === OWN_AGENT ? row.session_id : `${row.agent}:${row.session_id}`
  );
  const shared = sharedPrefixes(names);
  return rows.map((row, index) => {
    const name = names[index] ?? "";
    const least = name.length - row.session_id.length + LENGTH;
    return sanitizeLine(name.slice(0, Math.max(least, (shared.get(name) ?? 0) + 1)));
  });
}

/** How much of each name another one begins with too. Neighbours in order share the most. */
function sharedPrefixes(names: readonly string[]): Map<string, number> {
  const sorted = [...new Set(names)].sort();
  const shared = new Map<string, number>();
  for (const [index, name] of sorted.entries()) {
    const next = sorted[index + 1];
    const length = next === undefined ? 0 : commonLength(name, next);
    shared.set(name, Math.max(shared.get(name) ?? 0, length));
    if (next !== undefined) shared.set(next, length);
  }
  return shared;
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}
