/**
 * Finds the records in force: from the live leaf up to its root. Qwen Code, transcript-records.ts
 * `walkTranscriptUuidChain`: the way ends at a parent that is not there, and at a cycle. A rewind
 * appends a record that follows an earlier one.
 */
import type { Report } from "../../log/diagnostic.ts";
import {
  describeBroken,
  type RecordTree,
  type Walk,
  walkTree,
} from "../../reading/tree/record_tree.ts";
import { type SideBranch, sideBranches, walkThread } from "../../reading/tree/side_branches.ts";
import type { RecordIndex, RecordNode } from "./record_index.ts";

/**
 * The way to the live leaf, or to the end of `branch`. Where a parent was in a damaged
 * line, the record before the damage stands in for it: Qwen Code drops all that came before.
 *
 * @throws {SessionError} `not-found` where there is no such branch, `ambiguous`
 */
export function findLivePath(index: RecordIndex, branch?: string): Walk<RecordNode> {
  const { nodes, tree, leaf } = index;
  const parentOf = (node: RecordNode): string | undefined => followedId(tree, node);
  const live = leaf === undefined ? { path: [] } : walkTree(tree, leaf.id, parentOf);
  return walkThread(branch, live, nodes, tree, parentOf);
}

/** Returns the id of the record that a record follows. */
export function followedId(
  tree: RecordTree<RecordNode>,
  { parent_id, bridge_id }: RecordNode,
): string | undefined {
  if (parent_id === undefined || tree.has(parent_id)) return parent_id;
  return bridge_id ?? parent_id;
}

/** The branches beside the live one. */
export function branchesOf(
  { nodes, tree }: RecordIndex,
  live: readonly RecordNode[],
): SideBranch<RecordNode>[] {
  return sideBranches(nodes, tree, { live, parentOf: (node) => followedId(tree, node) });
}

/** Reports where the way ends before a root. */
export function reportBroken(
  { tree }: RecordIndex,
  { broken }: Walk<RecordNode>,
  report: Report | undefined,
): void {
  const [place] = broken === undefined ? [] : tree.get(broken.at)?.fragments ?? [];
  if (broken === undefined || place === undefined) return;
  const { offset, length, line } = place;
  report?.({ code: broken.code, offset, length, line, detail: describeBroken(broken) });
}
