/** Moves the records that a compaction preserves behind it. */
import { hasFlag, isInTree, LINK, rowOf } from "../../../reading/tree/record_index.ts";
import type { ClaudeIndex } from "../index/claude_record.ts";

/** What a compaction keeps stands behind it now, though it was written before it. */
export interface Kept {
  boundary: number;
  anchor_id: string;
}

/**
 * The records that compactions keep, by their row; of several compactions the last one counts. That
 * they keep more than there is, over and over, happens only in a file made to be slow.
 */
export function keptRecords(index: ClaudeIndex): Map<number, Kept> {
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

/** The records that a compaction keeps, in their order. */
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
