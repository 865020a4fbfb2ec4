/**
 * Follows parents over the records that are no messages.
 */
import { LOST, PASSING, type RecordIndex, ROOT } from "../index/record_index.ts";

/**
 * The row that a parent leads to, {@linkcode ROOT}, or {@linkcode LOST}. Records of progress and of
 * unknown types are bridged as Claude Code bridges them: a child of one takes its parent, even where
 * that one is lost.
 */
export function followParent({ type, parent, count }: RecordIndex, row: number): number {
  let next = row;
  // As many steps as there are records: more go round.
  for (let steps = 0; next >= 0 && type[next] === PASSING; steps++) {
    next = steps > count ? ROOT : parent[next] as number;
  }
  return next;
}

/** The id of the parent that is lost, at the end of such links. */
export function lostParentId({ type, parent, lost }: RecordIndex, row: number): string {
  let at = row;
  let next = parent[at] as number;
  while (next >= 0 && type[next] === PASSING) {
    at = next;
    next = parent[at] as number;
  }
  return next === LOST ? lost.get(at) ?? "" : "";
}
