/** Sorts the sessions of a query by a value of their rows. */
import type { Summary } from "../../core/projection/summary_row.ts";
import { type OrderValue, sortedBy } from "../../core/store/session_order.ts";
import { rowsOf } from "./candidate.ts";
import type { SessionEntry } from "./query.ts";

/** Sorts entries as {@linkcode sortedBy} does. Entries with equal values keep their order. */
export async function sortedEntries(
  entries: readonly SessionEntry[],
  valueOf: (row: Summary) => OrderValue,
  reversed = false,
): Promise<SessionEntry[]> {
  const rows = new Map((await rowsOf(entries)).map((row) => [row.ref, row]));
  return sortedBy(entries, ({ ref }) => {
    const row = rows.get(ref);
    return row && valueOf(row);
  }, reversed);
}
