/** Links each record to its parent, where the file holds it. */
import { build, rowOfId } from "./record_ids.ts";
import { type RecordIndex, REPEATED } from "./record_index.ts";

/** Finds the parents that were written behind their children, and those that damage took. */
export function linkParents(index: RecordIndex): void {
  const { lost, parent, ids, bridges } = index;
  // In a file that is one chain nobody looks for a record by its id.
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

/** Finds ids that were written twice even where each record follows the one before it. */
export function linkRepeated(index: RecordIndex): void {
  if (index.ids.built > 0 || index.count === 0) return;
  build(index.ids);
  linkReplaced(index);
}

/** Of records with one id the last counts, also as a parent. */
function linkReplaced({ ids: { replaced }, flags, parent, count }: RecordIndex): void {
  for (const row of replaced.keys()) flags[row] = (flags[row] as number) | REPEATED;
  for (let row = 0; replaced.size > 0 && row < count; row++) {
    for (let next = replaced.get(parent[row] as number); next !== undefined;) {
      parent[row] = next;
      next = replaced.get(next);
    }
  }
}
