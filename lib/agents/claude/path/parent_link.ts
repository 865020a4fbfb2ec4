/**
 * Follows parents over the records that are no messages.
 */
import { PASSING, type RecordIndex, ROOT } from "../index/record_index.ts";

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

/** The id of the lost parent that a row leads to, over such links; undefined where none is lost. */
export function lostParentId(index: RecordIndex, row: number): string | undefined {
  const { type, parent, lost, count } = index;
  let at = row;
  for (let steps = 0; lost.size > 0 && steps <= count; steps++) {
    const id = lost.get(at);
    if (id !== undefined) return id;
    at = parent[at] as number;
    if (at < 0 || type[at] !== PASSING) return undefined;
  }
  return undefined;
}
