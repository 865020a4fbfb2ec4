/** The orders of sessions. Every view has the same orders, and puts unknown values last. */
import type { Summary } from "../projection/summary_row.ts";
import { countedTokens } from "../projection/token_usage.ts";

export const SESSION_ORDERS = [
  ...["updated", "created", "cost", "messages", "duration", "tokens", "title"] as const,
] as const;

export type SessionOrder = typeof SESSION_ORDERS[number];

export function isSessionOrder(name: string): name is SessionOrder {
  return (SESSION_ORDERS as readonly string[]).includes(name);
}

/** A value to sort by; undefined or NaN where it is unknown. */
export type OrderValue = number | string | undefined;

export const ORDER_VALUES: Readonly<Record<SessionOrder, (row: Summary) => OrderValue>> = {
  updated: ({ updated_at = "" }) => Date.parse(updated_at),
  created: ({ created_at = "" }) => Date.parse(created_at),
  cost: ({ cost_usd }) => cost_usd,
  messages: ({ message_count }) => message_count,
  duration: ({ active_ms }) => active_ms,
  tokens: ({ usage }) => usage && countedTokens(usage),
  title: ({ title }) => title.toLowerCase() || undefined,
};

/** True if an order needs values that only a full read can tell. */
export function needsCounts(order: string | undefined): boolean {
  return ["cost", "messages", "duration", "tokens"].includes(order ?? "");
}

/**
 * Sorts items: numbers and times from the largest, texts from A to Z. Unknown values are always
 * last.
 */
export function sortedBy<Item>(
  items: readonly Item[],
  valueOf: (item: Item) => OrderValue,
  reversed = false,
): Item[] {
  const keyed = items.map((item) => ({ item, value: valueOf(item) }));
  const direction = reversed ? -1 : 1;
  return keyed.sort((one, other) => compare(one.value, other.value, direction))
    .map(({ item }) => item);
}

function compare(one: OrderValue, other: OrderValue, direction: number): number {
  const [lacks, lacked] = [isUnknown(one), isUnknown(other)];
  if (lacks || lacked) return Number(lacks) - Number(lacked);
  if (typeof one === "number" && typeof other === "number") return (other - one) * direction;
  return String(one).localeCompare(String(other)) * direction;
}

export function isUnknown(value: OrderValue): boolean {
  return value === undefined || Number.isNaN(value);
}
