/** `reprise stats --sort` and `--reverse`: sorts the rows of the table. */
import { rowsOf } from "../../lib/library/query/candidate.ts";
import type { SessionEntry } from "../../lib/library/query/query.ts";
import { present } from "../../lib/core/event/present.ts";
import { countedTokens } from "../../lib/core/projection/token_usage.ts";
import type { UsageTotal } from "../../lib/core/projection/usage_totals.ts";
import {
  ORDER_VALUES,
  type OrderValue,
  type SessionOrder,
  sortedBy,
} from "../../lib/core/store/session_order.ts";
import { UsageError } from "../_failure.ts";

interface SortFlags {
  by: string;
  sort?: SessionOrder;
  reverse?: true;
}

/** Values by which rows of every grouping can be sorted. */
const VALUES: Partial<Record<SessionOrder, (group: UsageTotal) => OrderValue>> = {
  cost: ({ cost_usd }) => cost_usd,
  messages: ({ messages }) => messages,
  tokens: ({ usage }) => countedTokens(usage),
};

/** @throws {UsageError} for an order by a value that the rows do not have */
export function assertSortable({ by, sort, reverse }: SortFlags): void {
  if (by === "window" && (sort ?? reverse) !== undefined) {
    throw new UsageError(
      "Cannot sort usage windows: they are always in the order of time. Leave out --sort " +
        "and --reverse",
    );
  }
  if (sort === undefined || by === "session" || sort in VALUES) return;
  throw new UsageError(
    `Cannot sort by ${sort}: this needs one row for each session. Add --by session, ` +
      `or sort by one of ${Object.keys(VALUES).join(", ")}`,
  );
}

/** Keeps the order without `sort`, unless `reverse` is set. For `duration`, adds `active_ms`. */
export async function sortedGroups(
  groups: readonly UsageTotal[],
  entries: readonly SessionEntry[],
  { sort, reverse }: SortFlags,
): Promise<readonly UsageTotal[]> {
  if (sort === undefined) return reverse ? groups.toReversed() : groups;
  const valueOf = VALUES[sort];
  if (valueOf !== undefined) return sortedBy(groups, valueOf, reverse);
  const refs = new Set(groups.map(({ group }) => group));
  const rows = new Map(
    (await rowsOf(entries.filter(({ ref }) => refs.has(ref)))).map((row) => [row.ref, row]),
  );
  const sorted = sortedBy(groups, ({ group }) => {
    const row = rows.get(group);
    return row && ORDER_VALUES[sort](row);
  }, reverse);
  if (sort !== "duration") return sorted;
  return sorted.map((one) => present({ ...one, active_ms: rows.get(one.group)?.active_ms }));
}
