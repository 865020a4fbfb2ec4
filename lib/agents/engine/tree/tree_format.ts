/**
 * The contract of a format whose records form a tree: each names the record that it follows. One way
 * from a root to a leaf is the main thread; what leaves it is another.
 *
 * A record is a row of the index, and a path is made of steps: see {@linkcode TreeIndex} and
 * `steps.ts`. What the engine asks of a format is a function of both.
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

/** Takes the events or the messages of a path. */
export interface TreeSink extends EventSink {
  readonly seq: number;
  /** Returns the seq of the first message that the record `id`, or a later one, became. */
  messageFrom(id: string): number | undefined;
}

/** One reading of a path: its session and writer. */
export interface TreeReading {
  readonly session: AgentSession;
  readonly writer: TreeSink;
  /** The wanted kinds. @default {all} */
  readonly needs: ReadonlySet<EventKind> | undefined;
  readonly report: Report | undefined;
  /** True if only the content for the model is needed, and only what is in force. */
  readonly in_force: boolean;
}

/** A record of a path. Without a position, only its body was read. */
export interface TreeRecord extends Omit<SourceRecord, "position"> {
  position?: SourceRecord["position"];
}

/** A session in a file of its own that belongs to another: a sub-agent's. */
export interface SubagentFile {
  id: string;
  path: string;
  task?: string | undefined;
  /** The sub-agent that started this one, if the session did not. */
  parent?: string | undefined;
}

/** A sub-agent whose records stand inside of another thread's records. */
export interface InnerAgent<Head = unknown> {
  id: string;
  /** Its records; their places are those of the records that hold them. */
  index: TreeIndex<Head>;
  /** The rows that hold its records. */
  rows: readonly number[];
  /** The row that started the sub-agent, or -1. */
  start: number;
}

/**
 * A format of trees. `Head`: the index's notes on the whole file. `State`: carried from record to
 * record of one branch. `Saved`: the part of the state at a place, as JSON.
 */
export interface TreeFormat<Head = unknown, State = unknown, Saved = unknown>
  extends PathFormat<Head> {
  /** True if the head of a session without records in its tree is known. */
  hasHead(head: Head): boolean;
  /**
   * Returns the record of a row as the branch has it; undefined if another one was read.
   * @default {as it is}
   */
  ownRecord?(record: SourceRecord, index: TreeIndex<Head>, row: number): SourceRecord | undefined;
  /** Makes a record from its body, if only the body was read. */
  fromBody?(body: unknown, index: TreeIndex<Head>, row: number): TreeRecord["value"];
  /** Emits the head of a session or of one branch of it. */
  begin(reading: TreeReading, path: TreePath<Head>): State | Promise<State>;
  /** True for a row whose record must be read; others are emitted without. @default {all} */
  isNeeded?(state: State, row: number): boolean;
  /** Emits the events of a record: of all its pieces, in their order; of none where it was not read. */
  emit(records: readonly TreeRecord[], node: TreeNode, state: State): void;
  /** Emits the rest, which waited for the next record. */
  end?(state: State): void;
  /** Returns a copy of what goes on behind a record; undefined while that waits for the next. */
  saveState(state: State): Saved | undefined;
  /**
   * Returns a state for other events.
   *
   * @param saved What goes on; undefined where nothing before is known.
   * @param begun The state that `begin` gave for the branch; absent for records by themselves.
   */
  restoreState(
    saved: Saved | undefined,
    reading: TreeReading,
    path: TreePath<Head>,
    begun?: State,
  ): State;
  /** Finds the first step that counts for what the model gets. @default {the last compaction} */
  inForce?(session: AgentSession, path: TreePath<Head>): number | Promise<number>;
  /** True for a record that replaces messages before it, so that they must wait. @default {none} */
  isReplacing?(index: TreeIndex<Head>, row: number): boolean;
  /** The bytes that a list's row needs from between the ends of a file. @default {all are read} */
  middle?: MiddleSearch;
  /** True for the user's own prompt, as far as the index tells. */
  isPrompt(index: TreeIndex<Head>, row: number): boolean;
  /** Returns the id of the first record that a compaction keeps. */
  firstKept?(compaction: TreeRecord): string | undefined;
  /** True for a record that changes earlier ones for the model. */
  editsBefore?(index: TreeIndex<Head>, row: number): boolean;
  /** True where the end of a file alone does not tell which branch is live. @default {never} */
  isElsewhere?(index: TreeIndex<Head>): boolean;
  responses?(record: SourceRecord, thread: string | undefined): ResponseUsage[];
  /** A text in each line that tells of tokens: others are not parsed for them. @default {none} */
  readonly usage_mark?: string;
  /**
   * Makes a reader of all responses in the files of a session, from their bytes.
   * @default {by `responses`, from parsed records}
   */
  usageReader?(): (path: string) => Iterable<ResponseUsage[]>;
  /** Finds the title and the kind of branches, if their events do not have them. */
  describe?(
    session: AgentSession,
    index: TreeIndex<Head>,
    branches: readonly Branch[],
  ): Promise<(branch: Branch) => Promise<Partial<SessionThread>>>;
  /**
   * Tells the title and the time of a thread from the rows that only it has. Without it their events
   * tell.
   */
  summarizeThread?(
    path: string,
    index: TreeIndex<Head>,
    rows: readonly number[],
  ): Pick<SessionThread, "title" | "updated_at">;
  /** True where a branch must be read from its root, as one whose records change those before. */
  isReadWhole?(index: TreeIndex<Head>): boolean;
  /** Returns the sub-agents of a session. @default {none} */
  subagents?(session: AgentSession): SubagentFile[];
  /** Returns the sub-agents inside of a file that have none of their own. @default {none} */
  innerAgents?(
    path: string,
    index: TreeIndex<Head>,
    files: readonly SubagentFile[],
  ): Promise<InnerAgent<Head>[]>;
  /** True for a row of a record beside the dialogue, which is counted as such. @default {none} */
  isBeside?(index: TreeIndex<Head>, row: number): boolean;
  /**
   * Returns the type by which a record beside the branch is counted. @default {another branch's}
   */
  countsAs?(index: TreeIndex<Head>, row: number): string | undefined;
}
