/**
 * The record that stands in for a lost parent.
 */
import { isPassing } from "./live_leaf.ts";
import type { RecordIndex } from "./record_index.ts";
import type { TalkNode } from "./talk_node.ts";

/** How far before a record the one that stands in for its lost parent may lie. */
const NEAR_MS = 5000;

/** Of the records that were written before `node` the one of the latest time, if just before its own. */
export function nearestBefore(
  { nodes, tree }: RecordIndex,
  node: TalkNode,
  seen: ReadonlySet<TalkNode>,
): TalkNode | undefined {
  const time = Date.parse(node.timestamp ?? "");
  let nearest: TalkNode | undefined;
  let least = NEAR_MS + 1;
  for (const other of nodes) {
    if (other.order >= node.order) break;
    if (isPassing(other) || other.sidechain !== node.sidechain) continue;
    if (seen.has(other) || tree.get(other.id) !== other) continue;
    const distance = time - Date.parse(other.timestamp ?? "");
    if (distance < 0 || !(distance < least)) continue;
    least = distance;
    nearest = other;
  }
  return nearest;
}
