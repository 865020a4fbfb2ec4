/** Follows parents over the records that are no part of the talk. */
import { hasFlag, LINK, type RecordIndex, ROOT } from "./record_index.ts";

/**
 * The row that a parent leads to, {@linkcode ROOT}, or {@linkcode LOST}. A child of a mere link takes
 * its parent, even where that one is lost.
 */
export function followParent({ flags, parent, count }: RecordIndex, row: number): number {
  let next = row;
  // As many steps as there are records: more go round.
  for (let steps = 0; next >= 0 && ((flags[next] as number) & LINK) !== 0; steps++) {
    next = steps > count ? ROOT : parent[next] as number;
  }
  return next;
}

/** The id of the lost parent that a row leads to, over such links; undefined where none is lost. */
export function lostParentId(index: RecordIndex, row: number): string | undefined {
  const { parent, lost, count } = index;
  let at = row;
  for (let steps = 0; lost.size > 0 && steps <= count; steps++) {
    const id = lost.get(at);
    if (id !== undefined) return id;
    at = parent[at] as number;
    if (at < 0 || !hasFlag(index, at, LINK)) return undefined;
  }
  return undefined;
}
