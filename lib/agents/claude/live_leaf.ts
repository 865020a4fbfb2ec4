/**
 * Where a talk of Claude Code goes on: the record that was written last on the branch that was last
 * spoken on.
 */
import type { RecordIndex } from "./record_index.ts";
import type { TalkNode } from "./talk_node.ts";

/** Whether a record is said by someone. */
export function isSpoken({ type, damaged }: TalkNode): boolean {
  return !damaged && (type === "user" || type === "assistant");
}

/** Where a parent's id leads: to a record, to the root, or to an id that the file does not hold. */
export interface ParentLink {
  node?: TalkNode;
  /** The id that is not in the file. */
  lost_id?: string;
}

/**
 * Follows a parent's id over the records that are no messages: Claude Code bridges them, and a child
 * of one takes its parent, even where that one is lost.
 */
export function followParent({ tree }: RecordIndex, id: string | undefined): ParentLink {
  let next = id;
  let seen: Set<string> | undefined;
  while (next !== undefined) {
    const node = tree.get(next);
    if (node === undefined) return { lost_id: next };
    if (!isPassing(node)) return { node };
    seen ??= new Set();
    if (seen.has(next)) break;
    seen.add(next);
    next = node.parent_id;
  }
  return {};
}

/** True for a record that only leads from its child to its parent, such as one of progress. */
export function isPassing({ type }: TalkNode): boolean {
  return !MESSAGE_TYPES.has(type);
}

const MESSAGE_TYPES: ReadonlySet<string> = new Set(["user", "assistant", "system", "attachment"]);

interface Leaf {
  node: TalkNode;
  /** Of what was said last on its branch. */
  spoken: TalkNode;
}

/** The record that the talk goes on after. */
export function liveLeaf(index: RecordIndex): TalkNode | undefined {
  const nodes = talkNodes(index);
  const pointer = index.side.leaf;
  const pointed = pointer === undefined ? undefined : index.tree.get(pointer.id);
  if (pointer === undefined || pointed === undefined) {
    // In a cycle each record is followed by another.
    return latest(leavesOf(index, nodes)) ?? nodes.findLast(isSpoken);
  }
  // The record says where the talk stood; what was written since goes on from wherever it says.
  const later = nodes.filter(({ order }) => order >= pointer.order);
  return latest(leavesOf(index, later)) ?? pointed;
}

/** The records of the talk itself; those of sub-agents only when there is nothing else. */
function talkNodes({ nodes, tree }: RecordIndex): TalkNode[] {
  const talk = nodes.filter((node) => !isPassing(node) && tree.get(node.id) === node);
  const main = talk.filter(({ sidechain }) => !sidechain);
  return main.some(isSpoken) ? main : talk;
}

/** The records that none of the others follows, with what was said last before them. */
function leavesOf(index: RecordIndex, nodes: readonly TalkNode[]): Leaf[] {
  const parents = new Set<string>();
  for (const { parent_id } of nodes) {
    const parent = followParent(index, parent_id).node;
    if (parent !== undefined) parents.add(parent.id);
  }
  return nodes.filter(({ id }) => !parents.has(id)).flatMap((node) => {
    const spoken = lastSpoken(index, node);
    return spoken === undefined ? [] : [{ node, spoken }];
  });
}

function lastSpoken(index: RecordIndex, leaf: TalkNode): TalkNode | undefined {
  const seen = new Set<TalkNode>();
  let node: TalkNode | undefined = leaf;
  while (node !== undefined && !isSpoken(node) && !seen.has(node)) {
    seen.add(node);
    node = followParent(index, node.parent_id).node;
  }
  return node !== undefined && isSpoken(node) ? node : undefined;
}

/** The leaf of what was said latest; of equals the one that was written first, as in Claude Code. */
function latest(leaves: readonly Leaf[]): TalkNode | undefined {
  let best: Leaf | undefined;
  for (const leaf of leaves) {
    if (best === undefined || isLater(leaf, best)) best = leaf;
  }
  return best?.node;
}

function isLater(one: Leaf, other: Leaf): boolean {
  const time = one.spoken.timestamp ?? "";
  const otherTime = other.spoken.timestamp ?? "";
  // Of records without a time, the last one is taken for the latest.
  return time === "" && otherTime === "" ? one.node.order > other.node.order : time > otherTime;
}
