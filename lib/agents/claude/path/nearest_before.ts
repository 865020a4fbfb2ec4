/**
 * The record that stands in for a lost parent.
 */
import { hasFlag, isInTree, type RecordIndex, SIDECHAIN } from "../index/record_index.ts";

/** How far before a record the one that stands in for its lost parent may lie. */
const NEAR_MS = 5000;

/**
 * Of the records that were written before a row the one of the latest time, if just before its own;
 * -1 where there is none.
 */
export function nearestBefore(index: RecordIndex, row: number, seen: Uint8Array): number {
  const { time } = index;
  const own = time[row] as number;
  const side = hasFlag(index, row, SIDECHAIN);
  let nearest = -1;
  let least = NEAR_MS + 1;
  for (let other = 0; other < row; other++) {
    const distance = own - (time[other] as number);
    if (!(distance >= 0 && distance < least)) continue;
    if (seen[other] === 1 || !isInTree(index, other)) continue;
    if (hasFlag(index, other, SIDECHAIN) !== side) continue;
    least = distance;
    nearest = other;
  }
  return nearest;
}
