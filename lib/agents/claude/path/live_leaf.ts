/**
 * Finds the record where Claude Code continues a session. It is the last one written on the branch
 * that was last used. If a `last-prompt` record names another, that one and its followers count.
 * Titles, lists, tails and conversations share this rule.
 */
import { followParent } from "../../../reading/tree/parent_link.ts";
import {
  hasFlag,
  isInTree,
  type RecordIndex,
  ROOT,
  rowOf,
} from "../../../reading/tree/record_index.ts";
import { type ClaudeIndex, isSpoken, SIDECHAIN } from "../index/claude_record.ts";

/** The row that the session goes on after; -1 where there is none. */
export function liveLeaf(index: ClaudeIndex): number {
  const inside = dialogueRows(index);
  const pointer = index.head.side.leaf;
  const pointed = rowOf(index, pointer?.id);
  if (pointer === undefined || pointed < 0) {
    const leaf = latestLeaf(index, inside, 0);
    // In a cycle each record is followed by another.
    return leaf >= 0 ? leaf : lastSpoken(index, inside);
  }
  // The record says where the session stood; what was written since goes on from wherever it says.
  const later = latestLeaf(index, inside, pointer.order);
  return later >= 0 ? later : pointed;
}

/** Tells the records of the session itself; those of sub-agents only when there is nothing else. */
function dialogueRows(index: RecordIndex): (row: number) => boolean {
  for (let row = 0; row < index.count; row++) {
    if (isInTree(index, row) && isSpoken(index, row) && !hasFlag(index, row, SIDECHAIN)) {
      return (other) => isInTree(index, other) && !hasFlag(index, other, SIDECHAIN);
    }
  }
  return (row) => isInTree(index, row);
}

/** Of the rows from `first` on that none of the others follows, the one that was last spoken on. */
function latestLeaf(index: RecordIndex, inside: (row: number) => boolean, first: number): number {
  const { count, parent } = index;
  const followed = new Uint8Array(count);
  for (let row = first; row < count; row++) {
    if (!inside(row)) continue;
    const before = followParent(index, parent[row] as number);
    if (before >= 0) followed[before] = 1;
  }
  let best = -1;
  let bestSpoken = -1;
  for (let row = first; row < count; row++) {
    if (followed[row] === 1 || !inside(row)) continue;
    const spoken = spokenBefore(index, row);
    if (spoken < 0 || (best >= 0 && !isLater(index, spoken, bestSpoken))) continue;
    best = row;
    bestSpoken = spoken;
  }
  return best;
}

/** The nearest record that is said by someone, from a row on towards the root. */
function spokenBefore(index: RecordIndex, leaf: number): number {
  let row = leaf;
  for (let steps = 0; row >= 0 && !isSpoken(index, row); steps++) {
    row = steps > index.count ? ROOT : followParent(index, index.parent[row] as number);
  }
  return row;
}

/** Of equal times the one that was written first counts, as in Claude Code; of none, the last one. */
function isLater({ time }: RecordIndex, row: number, other: number): boolean {
  const one = time[row] as number;
  const two = time[other] as number;
  if (Number.isNaN(one)) return Number.isNaN(two) && row > other;
  return Number.isNaN(two) || one > two;
}

function lastSpoken(index: RecordIndex, inside: (row: number) => boolean): number {
  for (let row = index.count - 1; row >= 0; row--) {
    if (inside(row) && isSpoken(index, row)) return row;
  }
  return -1;
}
