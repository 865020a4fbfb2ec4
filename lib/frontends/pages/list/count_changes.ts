/** Counts what a list lacks: changed files of the newest sessions, and values that it sorts by. */
import { rowsOf } from "../../../library/query/candidate.ts";
import { loadPrices } from "../../../library/counts/usage/load_prices.ts";
import { utcDay } from "../../../library/counts/usage/usage_sums.ts";
import { usageOf } from "../../../library/query/usage_of.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import {
  isSessionOrder,
  isUnknown,
  needsCounts,
  ORDER_VALUES,
} from "../../../core/store/session_order.ts";
import type { SiteContext } from "../site_context.ts";
import { keepChanges, listRows, ROWS } from "./list_rows.ts";

/** Maximum number of bytes to read at once, so that other pages are answered soon. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Counts the file changes that the cache lacks, and stores them. True if there were any. */
export async function countChanges({ library }: SiteContext): Promise<boolean> {
  const { kept } = library;
  if (kept.folder === undefined) return false;
  const { entries } = await library.query({ limit: ROWS });
  const rows = await listRows(entries, { kept, changes: true });
  const uncounted = entries.filter(({ ref }) => rows.get(ref)?.changes === undefined);
  if (uncounted.length === 0) return false;
  const { estimate } = await loadPrices();
  const used = await usageOf(uncounted, {
    ...{ estimate, kept, dayOf: utcDay, work: true, most_bytes_read: MOST_BYTES },
  });
  keepChanges(library, used);
  return used.length > 0;
}

/** Reads sessions whole if one lacks the value that sorts the list. Returns true if it did so. */
export async function countForOrder({ library }: SiteContext, order: string): Promise<boolean> {
  if (library.cache === undefined || !isSessionOrder(order) || !needsCounts(order)) return false;
  const { entries } = await library.query({ archived: "any" });
  // `threads` is known once the whole session was read. A value that is missing then stays missing.
  const isLacking = (row: Summary): boolean =>
    row.threads === undefined && isUnknown(ORDER_VALUES[order](row));
  if (!(await rowsOf(entries)).some(isLacking)) return false;
  const read = await library.query({ archived: "any", exact: true });
  await library.fillCosts(read.entries);
  return true;
}
