/**
 * The contract of a format whose records form a tree: each names the record that it follows. One way
 * from a root to a leaf is the main thread; what leaves it is another.
 *
 * @module
 */
import type { AgentSession } from "../../source/agent.ts";
import type { ResponseUsage } from "../../source/response_usage.ts";
import type { SessionThread } from "../../source/session_thread.ts";
import type { RecordPlace } from "../records/records_at.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { FormatReading } from "../session_format.ts";
import type { RecordTree, TreeNode, Walk } from "./record_tree.ts";
import type { SideBranch } from "./side_branches.ts";

/** The facts that the index keeps of a record. */
export interface NodeFacts extends TreeNode {
  /** The agent's name for its kind. */
  type: string;
}

/** A record of a tree, and where it lies. */
export interface RecordNode extends NodeFacts, RecordPlace {
  /** True if its line is damaged: it leads to its parent, and says nothing else. */
  damaged?: boolean;
  /** All places of a record that is written in several pieces. */
  fragments?: RecordPlace[];
  /** The record before the damage that stands before this one: its parent may have been there. */
  bridge_id?: string;
}

/** The records of a file, and which each follows. */
export interface TreeIndex<Head> {
  /** The format's notes on the file as a whole. */
  readonly head: Head;
  /** In the order of the file. */
  readonly nodes: RecordNode[];
  /** By id; of records with one id the last, or the first of its pieces. */
  readonly tree: RecordTree<RecordNode>;
  /** The record that the agent would go on from. */
  leaf: RecordNode | undefined;
}

/** One way through a tree, from a root to its end. */
export interface TreePath<Head> extends Walk<RecordNode> {
  readonly index: TreeIndex<Head>;
}

/**
 * Where a record belongs: into the tree, to the head, which counts as events, or beside the talk, by
 * the type that its bytes are counted as.
 */
export type Indexed = NodeFacts | "head" | { beside: string };

/** A session in a file of its own that belongs to another: of a sub-agent. */
export interface SubagentFile {
  id: string;
  path: string;
  /** Its task. */
  task: string | undefined;
  /** The sub-agent that started it, if none but the session did. */
  parent: string | undefined;
}

/**
 * A format of trees. `Head` is what the index notes of the whole file, `State` what is carried from
 * record to record of one branch, `Saved` what of it goes on where a branch leaves another.
 */
export interface TreeFormat<Head, State, Saved> {
  /** The rule for records with one id: the last counts, or they are pieces of one. */
  readonly repeated: "last" | "joined";
  /** Returns what is noted of a file before its first record. */
  head(): Head;
  /** True where the head of a session without records in its tree is known. */
  hasHead(head: Head): boolean;
  /** Tells where a record belongs, and notes in the head what it says of the whole. */
  index(record: SourceRecord, index: TreeIndex<Head>): Indexed;
  /**
   * Tells the same of a record of the tree from the bytes of its line, without parsing; undefined
   * where these do not tell. Without it each line is parsed.
   */
  scan?(line: Uint8Array, index: TreeIndex<Head>): NodeFacts | undefined;
  /** True for a record that the agent may go on from. @default {all} */
  isLeaf?(node: NodeFacts): boolean;
  /**
   * True for a record for whose lost parent the record before the damage stands in.
   *
   * @default {none}
   */
  isBridged?(node: NodeFacts): boolean;
  /** Emits the head of a session or of one branch of it. */
  begin(reading: FormatReading, path: TreePath<Head>): State | Promise<State>;
  /** Emits the events of a record: of all its pieces, in their order. */
  emit(records: readonly SourceRecord[], node: RecordNode, state: State): void;
  /** Returns a copy of what goes on behind a record. */
  saveState(state: State): Saved;
  /**
   * Returns a state for other events.
   *
   * @param saved What goes on; undefined where nothing before is known.
   * @param begun The state that `begin` gave for the branch; absent for records by themselves.
   */
  restoreState(saved: Saved | undefined, reading: FormatReading, begun?: State): State;
  /** Finds the first record of a path that counts for what the model gets. @default {the first} */
  inForce?(session: AgentSession, path: readonly RecordNode[]): number | Promise<number>;
  /** True for what the user wrote, as far as the index tells. */
  isPrompt(node: NodeFacts): boolean;
  /** True for a record that replaces what was before it for the model. */
  isCompaction(node: NodeFacts): boolean;
  /** Returns the id of the first record that a compaction keeps. */
  firstKept?(compaction: SourceRecord): string | undefined;
  /** True for a record that changes what earlier ones say to the model. */
  editsBefore?(node: NodeFacts): boolean;
  /** True for a record without an id, which follows the one before it in the file. */
  isUnnamed?(node: NodeFacts): boolean;
  /** Tells what a record says of the tokens that responses took. */
  responses(record: SourceRecord, thread: string | undefined): ResponseUsage[];
  /** A text in each line that tells of tokens: others are not parsed for them. @default {none} */
  readonly usage_mark?: string;
  /** Tells the title and the kind of a branch, where its events alone do not. */
  describe?(
    session: AgentSession,
    index: TreeIndex<Head>,
    branches: readonly SideBranch<RecordNode>[],
  ): Promise<(branch: SideBranch<RecordNode>) => Promise<Partial<SessionThread>>>;
  /** True where a branch must be read from its root, as one whose records change those before. */
  isReadWhole?(index: TreeIndex<Head>): boolean;
  /** Returns the sub-agents of a session. @default {none} */
  subagents?(session: AgentSession): SubagentFile[];
}

/** Returns the places of a record, in the order of the file. */
export function placesOf(node: RecordNode): readonly RecordPlace[] {
  return node.fragments ?? [node];
}

/** Returns the id of the record that a record follows. */
export function followedId(
  tree: RecordTree<RecordNode>,
  { parent_id, bridge_id }: RecordNode,
): string | undefined {
  if (bridge_id === undefined || parent_id === undefined) return parent_id;
  return tree.has(parent_id) ? parent_id : bridge_id;
}
