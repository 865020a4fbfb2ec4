/** Reads items by their numbers. Items near the end are read without the items before them. */
import type { FoundItems } from "./long_end.ts";
import type { OpenedSession } from "./opened_sessions.ts";

/**
 * Reads consecutive items. If the whole session was read, the returned numbers count from its
 * beginning, even for a negative `first`.
 *
 * @param first The number of the first item. Negative numbers count from the session's end; -1 is
 * the last item.
 */
export async function itemsAt(
  opened: OpenedSession,
  first: number,
  count: number,
): Promise<FoundItems> {
  const { items } = opened;
  if (first < 0) {
    // One more item shows that the session begins earlier.
    const end = items.progress.total === undefined
      ? await itemsOfEnd(opened, first - 1, count + 1)
      : undefined;
    if (end?.items.length === count + 1) return { ...end, items: end.items.slice(1), first };
    await items.readAll();
  }
  const start = first < 0 ? (items.progress.total ?? 0) + first : first;
  const from = Math.max(0, start);
  const found = await items.items(from, Math.max(0, start + count) - from);
  return { items: found, first: from, numbered: true };
}

/** Reads items at the session's end; undefined if reading the whole session is as fast. */
async function itemsOfEnd(
  { handle, items, thread, end }: OpenedSession,
  first: number,
  count: number,
): Promise<FoundItems | undefined> {
  if (handle.has_long_end) return await end.items(first, count);
  // Reprise's own log is read backwards, only as far as needed.
  if (handle.log === undefined || thread.thread !== undefined || !await items.reach(first)) {
    return undefined;
  }
  return { items: await items.items(first, count), first, numbered: true };
}
