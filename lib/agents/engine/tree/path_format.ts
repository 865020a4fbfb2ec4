/**
 * The part of a format of trees that finding a path needs. It tells which records there are, and which
 * each follows.
 */
import type { ByteFinder } from "../../../core/log/byte_finder.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { NewRecord, RecordIndex, TreeIndex } from "./record_index.ts";
import type { Steps } from "./steps.ts";
import type { BrokenWalk, WayRule } from "./walk_branch.ts";

/** The facts that the index keeps of a record. */
export interface NodeFacts {
  id: string;
  /** The record that it follows; absent at a root, null where it follows the one before it. */
  parent_id?: string | null | undefined;
  /** The agent's name for its kind, and for its variety. */
  type: string;
  subtype?: string | undefined;
  /** Flags of the index and of the format. */
  flags?: number;
  /** Milliseconds since 1970, or NaN. */
  time?: number;
  /** The number of its answer; 0 for none. */
  answer?: number;
}

/**
 * The place of a record: in the tree, in the head, or beside the dialogue. A head record counts as
 * events; one beside the dialogue has its type, for its count.
 */
export type Indexed = NodeFacts | "head" | { beside: string };

/** The result of a scan; undefined if the line must be parsed. */
export type Scanned = "record" | "head" | { beside: string } | undefined;

/** Reads the lines of one file without parsing them. */
export interface LineScanner<Head = unknown> {
  /** Prepares for the lines of a block, or for one line, before they are read without a finder. */
  begin?(bytes: Uint8Array, end: number, finder?: ByteFinder): void;
  /**
   * Reads the record in the line from `start` to `end` into `found`. It must set every field but
   * the place, because `found` still holds the line before.
   */
  scan(
    index: TreeIndex<Head>,
    found: NewRecord,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): Scanned;
  /** Salvages the parent from a damaged line; false if it is lost. */
  rescue(index: TreeIndex<Head>, found: NewRecord, bytes: Uint8Array): boolean;
  /** Finishes after the last line. */
  end?(index: TreeIndex<Head>): void;
}

/** The part of a format that indexing needs. */
export interface IndexFormat<Head = unknown> {
  /** The rule for records with one id: the last counts, or they are pieces of one. */
  readonly repeated: "last" | "joined";
  /** Types whose numbers in the index are those in this list. */
  readonly types?: readonly string[];
  /** Returns the notes on a file before its first record. */
  head(): Head;
  /** Returns the place of a record, and notes in the head its facts about the whole. */
  index(record: SourceRecord, index: TreeIndex<Head>): Indexed;
  /** Returns the id of a record in the index; undefined if it has none of its own. */
  idOf(record: SourceRecord): string | undefined;
  /**
   * Makes the scanner, which tells the same from the bytes of lines. Without it each line is
   * parsed.
   */
  scanner?(): LineScanner<Head>;
  /**
   * True where records are looked for by their ids. Else a file that is one chain is taken to have each
   * id once. @default {true}
   */
  looksUp?(index: TreeIndex<Head>): boolean;
  /**
   * True for a record whose lost parent is replaced by the record before the damage.
   *
   * @default {none}
   */
  isBridged?(facts: NodeFacts): boolean;
  /** True for a record that the agent may go on from. @default {all} */
  isLeaf?(index: TreeIndex<Head>, row: number): boolean;
  /**
   * Completes an index behind its last record. Parents may be given to records that lost theirs: the
   * ids stay in `lost`, so that it is reported.
   */
  finish?(index: TreeIndex<Head>): void;
}

/**
 * Answers that are written in several records, and replies to their calls, which lie beside the
 * path.
 */
export interface AnswerRule {
  /** The number of the type of an answer's records. */
  readonly type: number;
  /** Number of the type of replies, and the flag that they have. */
  readonly reply_type: number;
  readonly reply_flag: number;
  /** A flag that separates the records of two dialogues. */
  readonly apart_flag: number;
}

/** The part of a format that finding a path needs. */
export interface PathFormat<Head = unknown> extends IndexFormat<Head> {
  /** Returns the row that the agent would go on from; -1 for none. @default {the last leaf} */
  leaf?(index: TreeIndex<Head>): number;
  /** Returns the rule of walks. @default {from a record to its parent} */
  way?(index: TreeIndex<Head>): WayRule;
  /** The rule for answers in several records. @default {none is} */
  readonly answers?: AnswerRule;
  /** True for a record that says nothing to anyone: beside the way it is no branch. @default {none} */
  isAside?(index: RecordIndex, row: number): boolean;
  /** Moves steps to the model's order. @default {in the order of the way} */
  arrange?(index: TreeIndex<Head>, steps: Steps): Steps;
  /** True for a record that replaces everything before it for the model. */
  isCompaction(index: TreeIndex<Head>, row: number): boolean;
}

/** One path through a tree, from a root to its end. */
export interface TreePath<Head = unknown> {
  readonly index: TreeIndex<Head>;
  readonly steps: Steps;
  readonly broken: readonly BrokenWalk[];
}
