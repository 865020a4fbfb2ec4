/**
 * `reprise search --sort` and `--reverse`: sorts hits in orders that the search itself does not
 * have.
 */
import type { Library } from "../../lib/library/library.ts";
import type { SessionEntry } from "../../lib/library/query/query.ts";
import { rowsOf } from "../../lib/library/query/candidate.ts";
import type { SearchHit } from "../../lib/library/search/search_task.ts";
import { ORDER_VALUES, type OrderValue, sortedBy } from "../../lib/core/store/session_order.ts";
import type { TieredRequest, TieredResult } from "../../lib/library/search/tiers.ts";
import type { Context } from "../_context.ts";
import { UsageError } from "../_failure.ts";
import { wantsPage } from "../_page.ts";
import { findHits } from "./find_hits.ts";
import type { SearchFlags } from "./search_flags.ts";

/**
 * Maximum number of hits that are sorted. Up to this number of hits, `--count` leaves out
 * duplicates from copied sessions.
 */
export const MOST_COMPARED = 10_000;

/** Returns the order; undefined if none was chosen, or if the hits are sorted after the search. */
export function searchOrder({ sort, reverse }: SearchFlags): "relevance" | "time" | undefined {
  return !reverse && (sort === "relevance" || sort === "time") ? sort : undefined;
}

/** True if hits are sorted after the search. The search then has to find all hits. */
function sortsLater({ sort, reverse }: SearchFlags): boolean {
  return reverse === true ||
    sort !== undefined && searchOrder({ sort } as SearchFlags) === undefined;
}

/** @throws {UsageError} if pages are asked for in an order that needs all hits */
export function refuseSortedPage(flags: SearchFlags): void {
  if (!wantsPage(flags) || !sortsLater(flags)) return;
  throw new UsageError(
    `Cannot print pages of hits sorted by ${flags.sort}: --max-chars and --cursor need ` +
      "--sort relevance or --sort time",
  );
}

export async function findInOrder(
  context: Context,
  library: Library,
  entries: readonly SessionEntry[],
  { asked, flags }: { asked: TieredRequest; flags: SearchFlags },
): Promise<TieredResult> {
  if (!sortsLater(flags)) return await findHits(context, library, entries, asked);
  const { limit = Infinity } = asked;
  const most = Math.max(limit, MOST_COMPARED);
  const result = await findHits(context, library, entries, { ...asked, limit: most });
  const hits = await sortedHits(result.hits, entries, flags);
  return { ...result, hits: hits.slice(0, limit) };
}

/** Sorts hits. In an order by a session's value, such as cost, a session's hits stay together. */
async function sortedHits(
  hits: readonly SearchHit[],
  entries: readonly SessionEntry[],
  { sort = "relevance", reverse }: SearchFlags,
): Promise<SearchHit[]> {
  if (sort === "relevance") return sortedBy(hits, ({ score }) => score, reverse);
  if (sort === "time") return sortedBy(hits, ({ time }) => time, reverse);
  const found = new Set(hits.map(({ ref }) => ref));
  const rows = await rowsOf(entries.filter(({ ref }) => found.has(ref)));
  const values = new Map(rows.map((row) => [row.ref, ORDER_VALUES[sort](row)]));
  const groups = [...Map.groupBy(hits, ({ ref }) => ref)];
  return sortedBy(groups, ([ref]): OrderValue => values.get(ref), reverse).flatMap(([, own]) =>
    own
  );
}
