/**
 * The branches of a tree of records beside the live one, so that every record is on one of them.
 */
import { SessionError } from "../../event/session_error.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import type { RecordTree, TreeNode, Walk } from "./record_tree.ts";

/** A branch, from the first record that only it has. */
export interface SideBranch<Node extends TreeNode> {
  /** The id of its first record. */
  id: string;
  /** The thread that it leaves; absent for another root. */
  parent?: string;
  /** Its own records, first to last. */
  path: Node[];
}

/** Which nodes are on which branch, and in which order they are followed. */
export interface SideBranchOptions<Node extends TreeNode> {
  /** The live branch. */
  live: Iterable<Node>;
  /** Follows another edge than the parent's, as the walk to the live leaf does. */
  parentOf?: (node: Node) => string | undefined;
}

/**
 * The branches beside the live one, the one that was written last first. Where two leave at one
 * place, the later one goes on from it, and the earlier leaves the later.
 */
export function sideBranches<Node extends TreeNode>(
  nodes: readonly Node[],
  tree: RecordTree<Node>,
  { live, parentOf = ({ parent_id }) => parent_id }: SideBranchOptions<Node>,
): SideBranch<Node>[] {
  const owner = new Map<Node, string>();
  for (const node of live) owner.set(node, MAIN_THREAD);
  const branches: SideBranch<Node>[] = [];
  for (let at = nodes.length - 1; at >= 0; at--) {
    const leaf = nodes[at] as Node;
    // Of records with one id the others are never followed.
    if (owner.has(leaf) || tree.get(leaf.id) !== leaf) continue;
    const path: Node[] = [];
    let node: Node | undefined = leaf;
    while (node !== undefined && !owner.has(node)) {
      path.push(node);
      // Its id is not known yet; that it is taken keeps a cycle from being walked for ever.
      owner.set(node, leaf.id);
      const parent: string | undefined = parentOf(node);
      node = parent === undefined ? undefined : tree.get(parent);
    }
    path.reverse();
    const id = path[0]?.id ?? leaf.id;
    const parent = node === undefined || path.includes(node) ? undefined : owner.get(node);
    for (const own of path) owner.set(own, id);
    branches.push({ id, path, ...(parent === undefined ? {} : { parent }) });
  }
  return branches;
}

/**
 * The way from the root to the end of a thread: the live branch, or that of a side branch, which
 * goes along the branches that it leaves. A name is a branch's id, its first characters, or the id
 * of a record on it.
 *
 * @throws {SessionError} `not-found`, `ambiguous`
 */
export function walkThread<Node extends TreeNode>(
  name: string | undefined,
  live: Walk<Node>,
  nodes: readonly Node[],
  tree: RecordTree<Node>,
  parentOf: (node: Node) => string | undefined = ({ parent_id }) => parent_id,
): Walk<Node> {
  if (name === undefined || name === MAIN_THREAD) return live;
  const named = tree.get(name);
  if (named !== undefined && live.path.includes(named)) return live;
  const branches = sideBranches(nodes, tree, { live: live.path, parentOf });
  const by_id = new Map(branches.map((branch) => [branch.id, branch]));
  const holder = named && branches.find(({ path }) => path.includes(named));
  const branch = holder ?? by_id.get(chosenThread(name, [...by_id.keys()]));
  return walkBranch(branch as SideBranch<Node>, live, by_id, tree, parentOf);
}

/** Returns the way from the root to the end of a branch, along the branches that it leaves. */
export function walkBranch<Node extends TreeNode>(
  branch: SideBranch<Node>,
  live: Walk<Node>,
  branches: ReadonlyMap<string, SideBranch<Node>>,
  tree: RecordTree<Node>,
  parentOf: (node: Node) => string | undefined,
): Walk<Node> {
  const pieces: Node[][] = [];
  let next: SideBranch<Node> | undefined = branch;
  let left: Node | undefined;
  for (; next !== undefined; next = branches.get(next.parent ?? "")) {
    pieces.push(next.path.slice(0, left && next.path.indexOf(left) + 1));
    left = tree.get(parentOf(next.path[0] as Node) ?? "");
    if (next.parent === MAIN_THREAD) {
      pieces.push(live.path.slice(0, live.path.indexOf(left as Node) + 1));
      return { ...live, path: pieces.reverse().flat() };
    }
  }
  return brokenWalk(pieces.reverse().flat(), tree, parentOf);
}

/** The walk whose path is known: its root may name a parent that is not there, or is behind it. */
function brokenWalk<Node extends TreeNode>(
  path: Node[],
  tree: RecordTree<Node>,
  parentOf: (node: Node) => string | undefined,
): Walk<Node> {
  const [root] = path;
  const parent_id = root && parentOf(root);
  if (root === undefined || parent_id === undefined) return { path };
  const code = tree.has(parent_id) ? "parent-cycle" : "missing-parent";
  return { path, broken: { code, at: root.id, parent_id } };
}

/**
 * The one of some threads' ids that a name is, or is the start of.
 *
 * @throws {SessionError} `not-found`, `ambiguous`
 */
export function chosenThread(name: string, ids: readonly string[]): string {
  if (ids.includes(name)) return name;
  const [first, ...more] = ids.filter((id) => id.startsWith(name));
  if (first === undefined) {
    throw new SessionError("not-found", `Cannot find thread: none is "${name}"`, { ref: name });
  }
  if (more.length === 0) return first;
  const candidates = [first, ...more];
  const message = `Cannot choose thread: "${name}" fits ${candidates.length}: ` +
    `${candidates.slice(0, 5).join(", ")}; give more of the id`;
  throw new SessionError("ambiguous", message, { ref: name, candidates });
}
