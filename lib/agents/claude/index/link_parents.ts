/**
 * Links each record to its parent, where the file holds it.
 */
import { build, rowOfId } from "./record_ids.ts";
import {
  hasFlag,
  isInTree,
  isSpoken,
  type RecordIndex,
  REPEATED,
  SIDECHAIN,
} from "./record_index.ts";

/** Finds the parents that were written behind their children, and those that were written twice. */
export function linkParents(index: RecordIndex): RecordIndex {
  const { lost, parent, flags, ids, boundaries, side } = index;
  // In a file that is one chain nobody looks for a record by its id.
  if (ids.built > 0 || lost.size > 0 || boundaries.size > 0 || side.leaf !== undefined) build(ids);
  for (const [row, id] of lost) {
    const found = rowOfId(ids, id);
    if (found < 0) continue;
    parent[row] = found;
    lost.delete(row);
  }
  const { replaced } = ids;
  for (const row of replaced.keys()) flags[row] = (flags[row] as number) | REPEATED;
  for (let row = 0; replaced.size > 0 && row < index.count; row++) {
    for (let next = replaced.get(parent[row] as number); next !== undefined;) {
      parent[row] = next;
      next = replaced.get(next);
    }
  }
  joinLost(index);
  return index;
}

/** Finds ids that were written twice even where each record follows the one before it. */
export function linkRepeated(index: RecordIndex): RecordIndex {
  if (index.ids.built > 0) return index;
  build(index.ids);
  return linkParents(index);
}

/**
 * In a subagent's file, gives each record with a lost parent the last record before it that nothing
 * follows: Claude Code 2.0.74 leaves hook records out of such files, which most others name. The id
 * of the lost parent stays in `lost`, so that a walk reports it.
 */
function joinLost(index: RecordIndex): void {
  const { lost, parent, count } = index;
  if (lost.size === 0 || !isOneSidechain(index)) return;
  const followed = new Uint8Array(count);
  for (let row = 0; row < count; row++) {
    const before = parent[row] as number;
    if (before >= 0) followed[before] = 1;
  }
  const ends: number[] = [];
  for (let row = 0; row < count; row++) {
    if (hasFlag(index, row, REPEATED)) continue;
    if (lost.has(row)) {
      while (ends.length > 0 && followed[ends.at(-1) as number] === 1) ends.pop();
      parent[row] = ends.pop() ?? parent[row] as number;
    }
    ends.push(row);
  }
}

/** True where all that is said is a subagent's. */
function isOneSidechain(index: RecordIndex): boolean {
  for (let row = 0; row < index.count; row++) {
    const said = isSpoken(index, row) && isInTree(index, row);
    if (said && !hasFlag(index, row, SIDECHAIN)) return false;
  }
  return true;
}
