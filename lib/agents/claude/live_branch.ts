/**
 * Returns the rule that orders the records of a branch, as in Claude Code 2.1.100.
 *
 * Records that a compaction preserves come after the compaction. A compaction comes after the last
 * record before it. A missing parent is replaced by the record written just before the child. The
 * model gets nothing from before a compaction, so a replacement there may be much older. In a
 * sub-agent's file, the index has already replaced missing parents.
 */
import { followParent, lostParentId } from "../engine/tree/parent_link.ts";
import {
  hasFlag,
  isInTree,
  LINK,
  recordId,
  type RecordIndex,
  ROOT,
  rowOf,
} from "../engine/tree/record_index.ts";
import type { BrokenWalk, WayRule } from "../engine/tree/walk_branch.ts";
import { type ClaudeIndex, isSpoken, SIDECHAIN } from "./index/claude_record.ts";

export function claudeWay(index: ClaudeIndex): WayRule {
  const kept = keptRecords(index);
  const before: WayRule["before"] = (row, seen, broken) => rowBefore(index, row, seen, broken);
  if (kept.size === 0) return { before };
  return {
    stand(row, leaf, side, seen): number {
      const moved = kept.get(row);
      // A leaf beside the live branch stands where it was written, with what was kept with it.
      const passed = side ? kept.get(leaf)?.boundary : undefined;
      if (moved === undefined || moved.boundary === passed) return row;
      if (seen[moved.boundary] === 1 || moved.boundary <= row) return row;
      const anchor = rowOf(index, moved.anchor_id);
      const is_free = anchor >= 0 && seen[anchor] === 0 && isInTree(index, anchor);
      return is_free ? anchor : moved.boundary;
    },
    before,
  };
}

/**
 * Maximum number of missing parents that are replaced. Each replacement searches all records, so
 * more of them would take too long.
 */
const MOST_BROKEN = 200;

function rowBefore(
  index: ClaudeIndex,
  row: number,
  seen: Uint8Array,
  broken: BrokenWalk[],
): number {
  const parent = index.parent[row] as number;
  let next = followParent(index, parent);
  let lost_id = lostParentId(index, row);
  if (parent === ROOT) {
    const boundary = index.head.boundaries.get(row);
    if (boundary === undefined) return ROOT;
    const last_id = boundary.logical_parent_id;
    if (last_id === undefined) return writtenBefore(index, row, seen);
    const last = rowOf(index, last_id);
    // A fork begins at its compaction: what stood before is not there, or stands behind it now.
    if (last < 0 ? row === 0 : last > row) return ROOT;
    next = followParent(index, last);
    if (last >= 0 && (next >= 0 || next === ROOT)) return next;
    lost_id = last < 0 ? last_id : lostParentId(index, last);
  }
  if (lost_id === undefined) return next;
  broken.push({ code: "missing-parent", at: recordId(index, row), parent_id: lost_id });
  if (next >= 0) return next;
  if (broken.length > MOST_BROKEN) return ROOT;
  return isSummarized(index, row, seen)
    ? writtenBefore(index, row, seen)
    : nearestBefore(index, row, seen);
}

function isSummarized(
  { head: { boundaries } }: ClaudeIndex,
  row: number,
  seen: Uint8Array,
): boolean {
  return boundaries.has(row) || [...boundaries.keys()].some((boundary) => seen[boundary] === 1);
}

function writtenBefore(index: RecordIndex, row: number, seen: Uint8Array): number {
  const side = hasFlag(index, row, SIDECHAIN);
  for (let other = row - 1; other >= 0; other--) {
    if (seen[other] === 1 || !isInTree(index, other)) continue;
    if (hasFlag(index, other, SIDECHAIN) === side) return other;
  }
  return -1;
}

/** The compaction that preserves a record, and so moves that record behind itself. */
interface Kept {
  boundary: number;
  anchor_id: string;
}

/**
 * Maps the row of each preserved record to the last compaction that preserves it. Visits about
 * twice the index's rows at most, which limits the time for malicious files.
 */
function keptRecords(index: ClaudeIndex): Map<number, Kept> {
  const kept = new Map<number, Kept>();
  let budget = 2 * index.count;
  for (const boundary of [...index.head.boundaries.keys()].reverse()) {
    const anchor_id = index.head.boundaries.get(boundary)?.anchor_id;
    if (anchor_id === undefined || budget < 0 || !isInTree(index, boundary)) continue;
    for (const row of preservedRows(index, boundary)) {
      budget--;
      if (!kept.has(row)) kept.set(row, { boundary, anchor_id });
    }
  }
  return kept;
}

/** Lists the rows that a compaction preserves, in the order of the conversation. */
export function preservedRows(index: ClaudeIndex, boundary: number): number[] {
  const { ids = [], head_id, tail_id } = index.head.boundaries.get(boundary) ?? {};
  if (ids.length > 0) return ids.map((id) => rowOf(index, id)).filter((row) => row >= 0);
  const head = rowOf(index, head_id);
  const segment: number[] = [];
  const seen = new Set<number>();
  let row = head < 0 ? -1 : rowOf(index, tail_id);
  while (row >= 0 && !seen.has(row)) {
    if (!hasFlag(index, row, LINK)) segment.push(row);
    seen.add(row);
    if (row === head) return segment.reverse();
    row = index.parent[row] as number;
  }
  // A segment that does not reach its head is none.
  return [];
}

/** Maximum milliseconds between a record and the record that replaces its lost parent. */
const NEAR_MS = 5000;

function nearestBefore(index: RecordIndex, row: number, seen: Uint8Array): number {
  const { time } = index;
  const own = time[row] as number;
  const side = hasFlag(index, row, SIDECHAIN);
  const order = rowsByTime(index);
  for (let at = behind(order, time, own) - 1; at >= 0; at--) {
    const other = order[at] as number;
    if (own - (time[other] as number) > NEAR_MS) break;
    if (other >= row || seen[other] === 1 || !isInTree(index, other)) continue;
    if (hasFlag(index, other, SIDECHAIN) === side) return other;
  }
  return -1;
}

const orders = new WeakMap<RecordIndex, Int32Array>();

/** Sorts the rows by time. Omits rows without a time. Rows of equal time are in reverse order. */
function rowsByTime(index: RecordIndex): Int32Array {
  const known = orders.get(index);
  if (known !== undefined) return known;
  const { count, time } = index;
  const order = Int32Array.from({ length: count }, (_, row) => row)
    .filter((row) => !Number.isNaN(time[row]))
    .sort((one, two) => (time[one] as number) - (time[two] as number) || two - one);
  orders.set(index, order);
  return order;
}

/** Returns the position in `order` after the last row whose time is at most `wanted`. */
function behind(order: Int32Array, time: Float64Array, wanted: number): number {
  let from = 0;
  let to = order.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((time[order[middle] as number] as number) <= wanted) from = middle + 1;
    else to = middle;
  }
  return Number.isNaN(wanted) ? 0 : from;
}

// Finds the record where Claude Code continues a session. It is the last one written on the branch
// that was last used. If a `last-prompt` record names another, that one and its followers count.
// Titles, lists, tails and conversations share this rule.

/** Returns the row after which the session continues. -1 if there is none. */
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

/** Returns a test for the main dialogue's records, or for all records if it has none. */
function dialogueRows(index: RecordIndex): (row: number) => boolean {
  for (let row = 0; row < index.count; row++) {
    if (isInTree(index, row) && isSpoken(index, row) && !hasFlag(index, row, SIDECHAIN)) {
      return (other) => isInTree(index, other) && !hasFlag(index, other, SIDECHAIN);
    }
  }
  return (row) => isInTree(index, row);
}

/** Returns the leaf, at or after `first`, whose last message is the latest. */
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

/** Returns the nearest row with a message: `leaf` or an ancestor. Negative if there is none. */
function spokenBefore(index: RecordIndex, leaf: number): number {
  let row = leaf;
  for (let steps = 0; row >= 0 && !isSpoken(index, row); steps++) {
    row = steps > index.count ? ROOT : followParent(index, index.parent[row] as number);
  }
  return row;
}

/**
 * True if `row` is later than `other`. At equal times it is not, as in Claude Code. If neither has
 * a time, the later row in the file wins.
 */
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
