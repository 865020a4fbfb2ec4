/** Reads items by their numbers: those near the end by themselves, without what is before them. */
import type { FoundItems } from "./long_end.ts";
import type { OpenedSession } from "./opened_sessions.ts";

/**
 * Reads items. Numbers from the end become those from the beginning where all of the session was
 * read, or has to be.
 *
 * @param first The number of the first one: -1 is the last one.
 */
export async function itemsAt(
  opened: OpenedSession,
  first: number,
  count: number,
): Promise<FoundItems> {
  const { items } = opened;
  if (first < 0) {
    // One more tells that the session begins further back.
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
  // A log of ours is read backwards, to no more than this.
  if (handle.log === undefined || thread.thread !== undefined || !await items.reach(first)) {
    return undefined;
  }
  return { items: await items.items(first, count), first, numbered: true };
}
