/** `reprise list --sort`: another order than by the last update. */
import { rowsOf } from "../../lib/library/candidate.ts";
import type { SessionEntry } from "../../lib/library/query.ts";
import type { Summary } from "../../lib/projection/summary_row.ts";
import type { ListOrder } from "./list_flags.ts";

type Key = string | number | undefined;

const KEYS: Readonly<Record<ListOrder, (row: Summary) => Key>> = {
  updated: ({ updated_at }) => updated_at,
  created: ({ created_at }) => created_at,
  messages: ({ message_count }) => message_count,
  tokens: ({ usage = {} }) => Object.values(usage).reduce((sum, count) => sum + count, 0),
  cost: ({ cost_usd }) => cost_usd,
  title: ({ title }) => title || undefined,
};

/** True if an order needs numbers that only a full read gives. */
export function needsCounts(order: ListOrder | undefined): boolean {
  return order === "messages" || order === "tokens" || order === "cost";
}

/** Returns sessions in an order. Those without its value come last. */
export async function sortSessions(
  entries: readonly SessionEntry[],
  order: ListOrder,
): Promise<SessionEntry[]> {
  const rows = await rowsOf(entries);
  const keyed = entries.map((entry, index) => {
    const row = rows[index];
    return { entry, key: row && KEYS[order](row) };
  });
  const sign = order === "title" ? 1 : -1;
  return keyed.sort((one, other) => sign * compare(one.key, other.key, sign)).map(({ entry }) =>
    entry
  );
}

function compare(one: Key, other: Key, last: number): number {
  if (one === undefined || other === undefined) {
    return one === other ? 0 : one === undefined ? last : -last;
  }
  if (typeof one === "string") return one.localeCompare(String(other));
  return one - Number(other);
}
