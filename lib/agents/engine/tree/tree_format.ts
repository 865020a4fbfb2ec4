/**
 * The contract of a format whose records form a tree: each record names its parent. One path from a
 * root to a leaf is the main thread. A branch that forks from this path is another thread.
 *
 * A record is a row of the index, and a path consists of steps: see {@linkcode TreeIndex} and
 * `steps.ts`. The functions of a format take the index and rows or steps.
 *
 * @module
 */
import type { MiddleSearch } from "./search_middle.ts";
import type { EventKind } from "../../../core/event/payload.ts";
import type { Report } from "../../../core/log/diagnostic.ts";
import type { AgentSession } from "../../contract/agent.ts";
import type { ResponseUsage } from "../../../core/projection/response_usage.ts";
import type { SessionThread } from "../../../core/projection/session_thread.ts";
import type { EventSink } from "../events/event_writer.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { Branch } from "./branches.ts";
import type { PathFormat, TreePath } from "./path_format.ts";
import type { TreeIndex } from "./record_index.ts";
import type { TreeNode } from "./steps.ts";

export interface TreeSink extends EventSink {
  readonly seq: number;
  /** Returns the seq of the first message at or after the record `id`. */
  messageFrom(id: string): number | undefined;
}

export interface TreeReading {
  readonly session: AgentSession;
  readonly writer: TreeSink;
  /** The event kinds that are needed. @default {all} */
  readonly needs: ReadonlySet<EventKind> | undefined;
  readonly report: Report | undefined;
  /** True to emit only what the model still gets, without content replaced by compactions. */
  readonly in_force: boolean;
}

/** A record of a path. Its position is absent if only the record's body was read. */
export interface TreeRecord extends Omit<SourceRecord, "position"> {
  position?: SourceRecord["position"];
}

export interface SubagentFile {
  id: string;
  path: string;
  task?: string | undefined;
  /** Id of the sub-agent that started this sub-agent. Absent if the session itself started it. */
  parent?: string | undefined;
}

/** A sub-agent whose records are within the records of another thread. */
export interface InnerAgent<Head = unknown> {
  id: string;
  /** Index of the sub-agent's records. Positions are those of the records that contain them. */
  index: TreeIndex<Head>;
  /** The rows of the records that contain the sub-agent's records. */
  rows: readonly number[];
  /** The row of the record that started the sub-agent, or -1. */
  start: number;
}

/**
 * A format whose records form a tree. `Head`: the index's facts about the whole file. `State`: data
 * for the next record of a branch. `Saved`: the part that a resume point stores, as JSON.
 */
export interface TreeFormat<Head = unknown, State = unknown, Saved = unknown>
  extends PathFormat<Head> {
  /** True if a session without records in the tree can be read from `head` alone. */
  hasHead(head: Head): boolean;
  /**
   * Returns a row's own record, for example the record nested in the file's record. Undefined if
   * `record` is not the row's record. @default {`record`}
   */
  ownRecord?(record: SourceRecord, index: TreeIndex<Head>, row: number): SourceRecord | undefined;
  fromBody?(body: unknown, index: TreeIndex<Head>, row: number): TreeRecord["value"];
  /** Emits the first events of the session or of a branch, and returns the first state. */
  begin(reading: TreeReading, path: TreePath<Head>): State | Promise<State>;
  /** True if a row's record must be read. If not, `emit` gets no record. @default {all} */
  isNeeded?(state: State, row: number): boolean;
  /** Emits a record's events. `records` has the record's pieces in order. Empty if it is unread. */
  emit(records: readonly TreeRecord[], node: TreeNode, state: State): void;
  /** Emits the events that waited for a further record. */
  end?(state: State): void;
  /** Returns a copy of the state to resume from. Undefined if events wait for a next record. */
  saveState(state: State): Saved | undefined;
  /**
   * Returns the state for a read that begins in the middle of a branch.
   *
   * @param saved The saved state at this point. Undefined if nothing before it is known.
   * @param begun The state that `begin` returned. Absent if `begin` was not called for this read.
   */
  restoreState(
    saved: Saved | undefined,
    reading: TreeReading,
    path: TreePath<Head>,
    begun?: State,
  ): State;
  /** Returns the index of the first step in the model's context. @default {the last compaction} */
  inForce?(session: AgentSession, path: TreePath<Head>): number | Promise<number>;
  /**
   * True for a record that replaces earlier messages. Messages are yielded only after the last
   * replacing record. @default {none}
   */
  isReplacing?(index: TreeIndex<Head>, row: number): boolean;
  /** Search of the file's middle for lines that a list row needs. @default {all lines are read} */
  middle?: MiddleSearch;
  /** True for a prompt of the user, as far as the index shows it. */
  isPrompt(index: TreeIndex<Head>, row: number): boolean;
  firstKept?(compaction: TreeRecord): string | undefined;
  /** True for a record that changes what the model gets of earlier records. */
  editsBefore?(index: TreeIndex<Head>, row: number): boolean;
  /** True if the file's end alone does not show which branch is live. @default {never} */
  isElsewhere?(index: TreeIndex<Head>): boolean;
  responses?(record: SourceRecord, thread: string | undefined): ResponseUsage[];
  /**
   * Text in each line that reports tokens. Other lines are not parsed for usage. @default {none}
   */
  readonly usage_mark?: string;
  /**
   * Returns a function that reads all responses of a session's file from its bytes. @default {by
   * `responses`, from parsed records}
   */
  usageReader?(): (path: string) => Iterable<ResponseUsage[]>;
  /** Returns a function that finds the title and kind of branches whose events lack these. */
  describe?(
    session: AgentSession,
    index: TreeIndex<Head>,
    branches: readonly Branch[],
  ): Promise<(branch: Branch) => Promise<Partial<SessionThread>>>;
  /**
   * Returns a thread's title and time from its own rows. Without this method, the thread's events
   * are read.
   */
  summarizeThread?(
    path: string,
    index: TreeIndex<Head>,
    rows: readonly number[],
  ): Pick<SessionThread, "title" | "updated_at">;
  /** True if a branch must be read from its root, as when records change earlier records. */
  isReadWhole?(index: TreeIndex<Head>): boolean;
  subagents?(session: AgentSession): SubagentFile[];
  innerAgents?(
    path: string,
    index: TreeIndex<Head>,
    files: readonly SubagentFile[],
  ): Promise<InnerAgent<Head>[]>;
  /** True for a record whose bytes were counted when the index was built. @default {none} */
  isBeside?(index: TreeIndex<Head>, row: number): boolean;
  /** Returns the counted type of a record not on the path. Undefined for a branch's record. */
  countsAs?(index: TreeIndex<Head>, row: number): string | undefined;
}
