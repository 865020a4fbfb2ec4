/** The keys that scroll texts and lists, and the cursor of a list. Pure. */
import { type Key, keyId } from "./key.ts";

export type Scroll =
  | { type: "scroll"; rows: number }
  | { type: "page"; pages: number }
  | { type: "edge"; to: "start" | "end" };

const rows = (rows: number): Scroll => ({ type: "scroll", rows });
const pages = (pages: number): Scroll => ({ type: "page", pages });
const edge = (to: "start" | "end"): Scroll => ({ type: "edge", to });

const WHEEL_ROWS = 3;

/** Keys that scroll even while the user types a text. */
const NAMED: Readonly<Record<string, Scroll>> = {
  ...{ up: rows(-1), "^p": rows(-1), down: rows(1), "^n": rows(1) },
  ...{ wheelup: rows(-WHEEL_ROWS), wheeldown: rows(WHEEL_ROWS) },
  ...{ pageup: pages(-1), pagedown: pages(1), home: edge("start"), end: edge("end") },
};

/** The scroll steps of all keys, as in `less`. */
const LETTERS: Readonly<Record<string, Scroll>> = {
  ...NAMED,
  ...{ k: rows(-1), "^y": rows(-1), j: rows(1), "^e": rows(1) },
  ...{ b: pages(-1), "^b": pages(-1), " ": pages(1), "^f": pages(1) },
  ...{ u: pages(-0.5), "^u": pages(-0.5), d: pages(0.5), "^d": pages(0.5) },
  ...{ g: edge("start"), G: edge("end") },
};

/**
 * Returns the scroll step of a key. Undefined for a key that does not scroll.
 *
 * @param typing True if the user types letters into a text.
 */
export function scrollOf(key: Key, typing = false): Scroll | undefined {
  const steps = typing ? NAMED : LETTERS;
  const id = keyId(key);
  return Object.hasOwn(steps, id) ? steps[id] : undefined;
}

export interface ListCursor {
  cursor: number;
  count: number;
}

/** Returns the cursor after a step. `page` is the number of entries on the screen. */
export function movedCursor({ cursor, count }: ListCursor, step: Scroll, page: number): number {
  const last = Math.max(0, count - 1);
  if (step.type === "edge") return step.to === "start" ? 0 : last;
  const by = step.type === "scroll" ? step.rows : Math.trunc(step.pages * page);
  return Math.max(0, Math.min(cursor + by, last));
}

/** Returns the index of the first entry to show, nearest to `wanted` with the cursor visible. */
export function listTop({ cursor, count }: ListCursor, page: number, wanted = 0): number {
  const top = Math.min(wanted, cursor, Math.max(0, count - page));
  return Math.max(0, cursor - page + 1, top);
}
