/**
 * Reads all branches of a tree of records one after the other. A branch that leaves another begins with
 * what was carried there, so that no record is read twice.
 */
import { MAIN_THREAD } from "../../source/session_thread.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { EventWriter } from "../events/event_writer.ts";
import type { RecordTree, TreeNode, Walk } from "./record_tree.ts";
import { type SideBranch, walkBranch } from "./side_branches.ts";

/** The state of reading behind a record. */
export interface BranchStart<State> {
  /** The state between one record and the next. */
  state: State;
  writer: EventWriter;
  /** The last seq that was given. */
  seq: number;
  /** Number of events before the first record: the head of each branch may have others. */
  head: number;
}

/** A branch to read. */
export interface BranchPart<Node extends TreeNode, State> {
  /** The way from the root to its end. */
  walk: Walk<Node>;
  /** The nodes to read: its own ones where `start` is known, else all. */
  nodes: readonly Node[];
  start?: BranchStart<State>;
  /** To be called behind each node. */
  pass(node: Node, start: () => BranchStart<State>): void;
}

/** A tree and its branches. */
export interface Branches<Node extends TreeNode> {
  live: Walk<Node>;
  /** The others; see {@linkcode sideBranches}. */
  others: readonly SideBranch<Node>[];
  tree: RecordTree<Node>;
  parentOf: (node: Node) => string | undefined;
}

/** The starts of the branches that are still to be read. */
export class BranchStarts<Node extends TreeNode, State> {
  readonly #branches: Branches<Node>;
  readonly #by_id: ReadonlyMap<string, SideBranch<Node>>;
  /** The branches that leave behind a node. */
  readonly #leaving = new Map<Node, string[]>();
  readonly #starts = new Map<string, BranchStart<State>>();

  constructor(branches: Branches<Node>) {
    this.#branches = branches;
    const { others, tree, parentOf } = branches;
    this.#by_id = new Map(others.map((branch) => [branch.id, branch]));
    for (const { id, parent, path: [first] } of others) {
      const left = first && parent !== undefined ? tree.get(parentOf(first) ?? "") : undefined;
      if (left !== undefined) this.#leaving.set(left, [...this.#leaving.get(left) ?? [], id]);
    }
  }

  /** Returns what is to be read of a thread; undefined where there is none of that id. */
  part(id: string): BranchPart<Node, State> | undefined {
    const pass: BranchPart<Node, State>["pass"] = (node, start) => {
      for (const other of this.#leaving.get(node) ?? []) this.#starts.set(other, start());
    };
    const { live, tree, parentOf } = this.#branches;
    if (id === MAIN_THREAD) return { walk: live, nodes: live.path, pass };
    const branch = this.#by_id.get(id);
    if (branch === undefined) return undefined;
    const walk = walkBranch(branch, live, this.#by_id, tree, parentOf);
    const start = this.#starts.get(id);
    this.#starts.delete(id);
    return start === undefined
      ? { walk, nodes: walk.path, pass }
      : { walk, nodes: branch.path, start, pass };
  }
}

/** Makes the writer of a branch behind its start; `head` is the number of events before its first record. */
export function writerAt(
  session: AgentSession,
  { needs }: AgentReadOptions,
  { writer, seq, head: before }: BranchStart<unknown>,
  head: number,
): EventWriter {
  return new EventWriter(session, needs, {
    behind: seq - before + head,
    before: { writer, until: seq },
  });
}
