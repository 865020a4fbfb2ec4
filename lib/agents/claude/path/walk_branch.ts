/**
 * Walks the records of a branch from its leaf to its root, by the rules of Claude Code 2.1.100.
 *
 * What a compaction kept stands behind it. A compaction follows the record that was the last one
 * before it. For a lost parent stands the record that was written just before.
 */
import { recordId, type RecordIndex, ROOT, rowOf } from "../index/record_index.ts";
import type { BrokenWalk } from "../../record_tree.ts";
import { nearestBefore } from "./nearest_before.ts";
import { followParent, lostParentId } from "./parent_link.ts";
import { keptRecords } from "./preserved.ts";

/** How to walk. */
export interface WalkOptions {
  /** Stop at the last compaction. */
  in_force?: boolean;
  /** Stop before a record that is marked here. */
  known?: Uint8Array;
}

/** The rows of a branch, root first, and where it lost its way. */
export interface BranchWalk {
  rows: number[];
  broken: BrokenWalk[];
  /** The row before the first, where the walk stopped at one that is known; else -1. */
  before: number;
}

/** Walks from a leaf to the root, or to the last compaction. */
export function walkBranch(
  index: RecordIndex,
  leaf: number,
  { in_force = false, known }: WalkOptions = {},
): BranchWalk {
  const rows: number[] = [];
  const broken: BrokenWalk[] = [];
  const seen = new Uint8Array(index.count);
  const kept = keptRecords(index);
  const { boundaries } = index;
  let row = leaf;
  while (row >= 0) {
    const moved = kept.size === 0 ? undefined : kept.get(row);
    if (moved !== undefined && seen[moved.boundary] === 0 && moved.boundary > row) {
      const anchor = rowOf(index, moved.anchor_id);
      row = anchor < 0 || seen[anchor] === 1 ? moved.boundary : anchor;
    }
    if (known?.[row] === 1) return { rows: rows.reverse(), broken, before: row };
    rows.push(row);
    seen[row] = 1;
    if (in_force && boundaries.has(row)) break;
    const next = rowBefore(index, row, broken, seen);
    if (next >= 0 && seen[next] === 1) {
      const parent_id = recordId(index, next);
      broken.push({ code: "parent-cycle", at: recordId(index, row), parent_id });
      break;
    }
    row = next;
  }
  return { rows: rows.reverse(), broken, before: -1 };
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
  let lost_id = next >= 0 || next === ROOT ? undefined : lostParentId(index, row);
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
  return broken.length > MOST_BROKEN ? ROOT : nearestBefore(index, row, seen);
}
