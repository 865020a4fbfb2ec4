/**
 * What a compaction keeps of what was before it: records that are read as if they stood behind it.
 */
import { isPassing } from "./live_leaf.ts";
import type { RecordIndex } from "./record_index.ts";
import type { TalkNode } from "./talk_node.ts";

/** What a compaction keeps stands behind it now, though it was written before it. */
export interface Kept {
  boundary: TalkNode;
  anchor_id: string;
}

/**
 * The records that compactions keep, by their id; of several compactions the last one counts. That
 * they keep more than there is, over and over, happens only in a file made to be slow.
 */
export function keptRecords(index: RecordIndex): Map<string, Kept> {
  const kept = new Map<string, Kept>();
  let budget = 2 * index.nodes.length;
  for (const node of index.nodes.filter(({ boundary }) => boundary !== undefined).reverse()) {
    const anchor_id = node.boundary?.anchor_id;
    if (anchor_id === undefined || budget < 0) continue;
    for (const { id } of preservedNodes(index, node)) {
      budget--;
      if (!kept.has(id)) kept.set(id, { boundary: node, anchor_id });
    }
  }
  return kept;
}

/** The records that a compaction keeps, in their order. */
export function preservedNodes({ tree }: RecordIndex, { boundary }: TalkNode): TalkNode[] {
  if (boundary?.ids !== undefined) return boundary.ids.flatMap((id) => tree.get(id) ?? []);
  const { head_id, tail_id } = boundary ?? {};
  const segment: TalkNode[] = [];
  const seen = new Set<TalkNode>();
  let node = head_id === undefined || tail_id === undefined ? undefined : tree.get(tail_id);
  while (node !== undefined && !seen.has(node)) {
    if (!isPassing(node)) segment.push(node);
    seen.add(node);
    if (node.id === head_id) return segment.reverse();
    node = node.parent_id === undefined ? undefined : tree.get(node.parent_id);
  }
  // A segment that does not reach its head is none.
  return [];
}
