/**
 * Walks the records of a branch from its leaf to its root, by the rules of Claude Code 2.1.100.
 *
 * What a compaction kept stands behind it. A compaction follows the record that was the last one
 * before it. For a lost parent stands the record that was written just before. In a subagent's file
 * the index has joined it to another.
 */
import { isInTree, recordId, type RecordIndex, ROOT, rowOf } from "../index/record_index.ts";
import type { BrokenWalk } from "../../../reading/tree/record_tree.ts";
import { nearestBefore } from "./nearest_before.ts";
import { followParent, lostParentId } from "./parent_link.ts";
import { keptRecords } from "./preserved.ts";

/** How to walk. */
export interface WalkOptions {
  /** Stop at the last compaction. */
  in_force?: boolean;
  /** Stop before a record that is marked here. */
  known?: Uint8Array;
  /** True to begin with a leaf that a later compaction kept, and not behind that compaction. */
  side?: boolean;
}

/** The rows of a branch, root first, and where it lost its way. */
export interface BranchWalk {
  rows: number[];
  broken: BrokenWalk[];
  /** The row before the first, where the walk stopped at one that is known; else -1. */
  before: number;
}

/** Returns a function that walks from a leaf to the root, or to the last compaction. */
export function branchWalker(
  index: RecordIndex,
): (leaf: number, options?: WalkOptions) => BranchWalk {
  const kept = keptRecords(index);
  const seen = new Uint8Array(index.count);
  return (leaf, { in_force = false, known, side = false } = {}) => {
    const rows: number[] = [];
    const broken: BrokenWalk[] = [];
    const passed = side ? kept.get(leaf)?.boundary : undefined;
    let before = -1;
    let row = leaf;
    while (row >= 0) {
      const moved = kept.size === 0 ? undefined : kept.get(row);
      if (moved !== undefined && moved.boundary !== passed && isAhead(row, moved.boundary, seen)) {
        const anchor = rowOf(index, moved.anchor_id);
        const free = anchor >= 0 && seen[anchor] === 0 && isInTree(index, anchor);
        row = free ? anchor : moved.boundary;
      }
      if (known?.[row] === 1) {
        before = row;
        break;
      }
      rows.push(row);
      seen[row] = 1;
      if (in_force && index.boundaries.has(row)) break;
      const next = rowBefore(index, row, broken, seen);
      if (next >= 0 && seen[next] === 1) {
        const parent_id = recordId(index, next);
        broken.push({ code: "parent-cycle", at: recordId(index, row), parent_id });
        break;
      }
      row = next;
    }
    for (const one of rows) seen[one] = 0;
    return { rows: rows.reverse(), broken, before };
  };
}

function isAhead(row: number, boundary: number, seen: Uint8Array): boolean {
  return seen[boundary] === 0 && boundary > row;
}

/** So many lost parents are no accident, and each is looked for among all records. */
const MOST_BROKEN = 200;

function rowBefore(
  index: RecordIndex,
  row: number,
  broken: BrokenWalk[],
  seen: Uint8Array,
): number {
  const parent = index.parent[row] as number;
  let next = followParent(index, parent);
  let lost_id = lostParentId(index, row);
  if (parent === ROOT) {
    const last_id = index.boundaries.get(row)?.logical_parent_id;
    if (last_id === undefined) return ROOT;
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
  return broken.length > MOST_BROKEN ? ROOT : nearestBefore(index, row, seen);
}
