/** A list with a cursor, of which the screen shows a part. Pure. */
import type { Scroll } from "./pager.ts";

/** Where the cursor is, and how long the list is. */
export interface ListView {
  cursor: number;
  count: number;
}

/** Returns the cursor after a step; `page` is the number of entries on the screen. */
export function movedCursor({ cursor, count }: ListView, step: Scroll, page: number): number {
  const last = Math.max(0, count - 1);
  if (step.type === "edge") return step.to === "start" ? 0 : last;
  const by = step.type === "scroll" ? step.rows : Math.trunc(step.pages * page);
  return Math.max(0, Math.min(cursor + by, last));
}

/** Returns the first entry on the screen: as near to `wanted` as keeps the cursor on it. */
export function listTop({ cursor, count }: ListView, page: number, wanted = 0): number {
  const top = Math.min(wanted, cursor, Math.max(0, count - page));
  return Math.max(0, cursor - page + 1, top);
}
