/**
 * Records that name their parent by id, as a tree. The files come from others: parents are missing,
 * ids repeat, and a record can be its own ancestor. Walking never recurses and always ends.
 */

/** A record that names its parent. */
export interface TreeNode {
  id: string;
  /** Absent at a root. */
  parent_id?: string | undefined;
}

/** Records by id. */
export type RecordTree<Node extends TreeNode> = Map<string, Node>;

/** Why a walk ended before a root. */
export interface BrokenWalk {
  code: "missing-parent" | "parent-cycle";
  /** The record that it ended at. */
  at: string;
  /** The parent that it names. */
  parent_id: string;
}

/** The way from the root to a record. */
export interface Walk<Node extends TreeNode> {
  /** Root, or what stands in for it, first. */
  path: Node[];
  broken?: BrokenWalk;
}

/** Indexes records by id. Of records with one id, the last wins, or the first. */
export function indexTree<Node extends TreeNode>(
  nodes: Iterable<Node>,
  wins: "last" | "first" = "last",
): RecordTree<Node> {
  const tree: RecordTree<Node> = new Map();
  for (const node of nodes) if (wins === "last" || !tree.has(node.id)) tree.set(node.id, node);
  return tree;
}

/**
 * The way to the record `leaf_id` from its root. `parentOf` may follow another edge than the
 * parent's. A missing parent or a cycle ends the way there, and is said.
 */
export function walkTree<Node extends TreeNode>(
  tree: RecordTree<Node>,
  leaf_id: string,
  parentOf: (node: Node) => string | undefined = ({ parent_id }) => parent_id,
): Walk<Node> {
  const path: Node[] = [];
  const seen = new Set<string>();
  let node = tree.get(leaf_id);
  let broken: BrokenWalk | undefined;
  while (node !== undefined) {
    path.push(node);
    seen.add(node.id);
    const parent_id = parentOf(node);
    if (parent_id === undefined) break;
    const next = tree.get(parent_id);
    if (next === undefined) broken = { code: "missing-parent", at: node.id, parent_id };
    else if (seen.has(parent_id)) broken = { code: "parent-cycle", at: node.id, parent_id };
    node = broken === undefined ? next : undefined;
  }
  path.reverse();
  return broken === undefined ? { path } : { path, broken };
}

/** What a broken walk is in words. */
export function describeBroken({ code, at, parent_id }: BrokenWalk): string {
  return code === "missing-parent"
    ? `the parent ${parent_id} of ${at} is not in the file`
    : `${at} is its own ancestor, by its parent ${parent_id}`;
}
