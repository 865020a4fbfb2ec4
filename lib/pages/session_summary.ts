/** Tells what the head of a session's page says: its summary, with models, tokens and cost. */
import type { CatalogueOptions } from "../library/catalogue/catalogue_options.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import { loadPrices } from "../library/usage/load_prices.ts";
import { utcDay } from "../library/usage/session_usage.ts";
import { usageOf } from "../library/usage/usage_of.ts";
import type { Summary } from "../projection/summary_row.ts";
import { withUsage } from "../projection/summary_usage.ts";

/** A summary, and whether all that the session took is in it. */
export interface CountedSummary {
  summary: Summary;
  /** False where the session is too long to be read for it. */
  is_counted: boolean;
}

/** Largest session that is read once more for its head. */
const MOST_BYTES = 8 * 1024 * 1024;

/** True for a session that is read for what it took. */
export function isShort({ bytes = 0 }: Summary): boolean {
  return bytes <= MOST_BYTES;
}

/** Reads a summary. What the session took comes from what was kept, or else from its file. */
export async function countedSummary(
  handle: SessionHandle,
  kept: CatalogueOptions,
): Promise<CountedSummary> {
  const summary = await handle.summary();
  const { session } = handle;
  const { estimate } = await loadPrices();
  const [used] = await usageOf([{ session, row: summary }], {
    dayOf: utcDay,
    estimate,
    kept,
    most_bytes: MOST_BYTES,
  });
  if (used === undefined) return { summary, is_counted: summary.usage !== undefined };
  return { summary: withUsage(summary, used), is_counted: true };
}
