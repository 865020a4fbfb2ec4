/** Links records to their parents, and follows parents over records outside the dialogue. */
import { build, rowOfId } from "./record_ids.ts";
import { hasFlag, LINK, type RecordIndex, REPEATED, ROOT } from "./record_index.ts";

/**
 * Returns `row`, or its nearest ancestor in the dialogue if `row` is outside the dialogue. The
 * result may be {@linkcode ROOT} or {@linkcode LOST}.
 */
export function followParent({ flags, parent, count }: RecordIndex, row: number): number {
  let next = row;
  // A walk with more steps than there are records is in a cycle.
  for (let steps = 0; next >= 0 && ((flags[next] as number) & LINK) !== 0; steps++) {
    next = steps > count ? ROOT : parent[next] as number;
  }
  return next;
}

/** Returns the id of a row's missing parent, following links. Undefined if none is missing. */
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

/** Links records to parents that come later in the file. Replaces parents lost by damage. */
export function linkParents(index: RecordIndex): void {
  const { lost, parent, ids, bridges } = index;
  // If each record follows the previous one, no record is looked up by its id.
  if (ids.built > 0 || lost.size > 0) build(ids);
  for (const [row, id] of lost) {
    const found = rowOfId(ids, id);
    const stand_in = found < 0 ? bridges.get(row) ?? -1 : found;
    if (stand_in < 0) continue;
    parent[row] = stand_in;
    lost.delete(row);
  }
  linkReplaced(index);
}

/** Finds repeated ids and links their children. Does nothing if an id was already looked up. */
export function linkRepeated(index: RecordIndex): void {
  if (index.ids.built > 0 || index.count === 0) return;
  build(index.ids);
  linkReplaced(index);
}

/** Links the children of a repeated id to its last record, which is the valid one. */
function linkReplaced({ ids: { replaced }, flags, parent, count }: RecordIndex): void {
  for (const row of replaced.keys()) flags[row] = (flags[row] as number) | REPEATED;
  for (let row = 0; replaced.size > 0 && row < count; row++) {
    for (let next = replaced.get(parent[row] as number); next !== undefined;) {
      parent[row] = next;
      next = replaced.get(next);
    }
  }
}
