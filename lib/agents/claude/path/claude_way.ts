/**
 * The rule by which the records of a branch follow each other, as in Claude Code 2.1.100.
 *
 * What a compaction kept stands behind it. A compaction follows the record that was the last one
 * before it. For a lost parent stands the record that was written just before. In a sub-agent's file
 * the index has joined it to another.
 */
import { followParent, lostParentId } from "../../../reading/tree/parent_link.ts";
import { isInTree, recordId, ROOT, rowOf } from "../../../reading/tree/record_index.ts";
import type { BrokenWalk, WayRule } from "../../../reading/tree/walk_branch.ts";
import type { ClaudeIndex } from "../index/claude_record.ts";
import { nearestBefore } from "./nearest_before.ts";
import { keptRecords } from "./preserved.ts";

/** Returns the rule for the records of a file. */
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

/** So many lost parents are no accident, and each is looked for among all records. */
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
    const last_id = index.head.boundaries.get(row)?.logical_parent_id;
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
