/** The part of a tree format that finding a path needs: the records and their parents. */
import type { ByteFinder } from "../../../core/log/byte_finder.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { NewRecord, RecordIndex, TreeIndex } from "./record_index.ts";
import type { Steps } from "./steps.ts";
import type { BrokenWalk, WayRule } from "./walk_branch.ts";

export interface NodeFacts {
  id: string;
  /** The parent record's id. Absent at a root. Null if the previous record is the parent. */
  parent_id?: string | null | undefined;
  type: string;
  subtype?: string | undefined;
  flags?: number;
  /** The record's time in milliseconds since 1970, or NaN. */
  time?: number;
  /** The number of the answer to which the record belongs. 0 for none. */
  answer?: number;
}

/**
 * A record in the tree, a record with facts about the session (`head`), or a record outside the
 * dialogue. The account counts head records as events, and records outside the dialogue under the
 * name `beside`.
 */
export type Indexed = NodeFacts | "head" | { beside: string };

/** The result of scanning a line. Undefined if the line must be parsed. */
export type Scanned = "record" | "head" | { beside: string } | undefined;

export interface LineScanner<Head = unknown> {
  /** Prepares for the lines of a block or, without a finder, for a single line. */
  begin?(bytes: Uint8Array, end: number, finder?: ByteFinder): void;
  /**
   * Scans the line from `start` to `end` into `found`. The scanner must set every field except the
   * position, because `found` still has the previous line's values.
   */
  scan(
    index: TreeIndex<Head>,
    found: NewRecord,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): Scanned;
  /** Salvages the parent's id from a damaged line. Returns false if the id is lost. */
  rescue(index: TreeIndex<Head>, found: NewRecord, bytes: Uint8Array): boolean;
  end?(index: TreeIndex<Head>): void;
}

export interface IndexFormat<Head = unknown> {
  /** The rule for records with the same id: the last counts, or all are pieces of one record. */
  readonly repeated: "last" | "joined";
  /** Types with fixed numbers in the index. A type's number is its position in this list. */
  readonly types?: readonly string[];
  /** Returns the initial facts about a file, before its first record is read. */
  head(): Head;
  /** Returns a record's facts. Stores facts about the whole session in `index`. */
  index(record: SourceRecord, index: TreeIndex<Head>): Indexed;
  /** Returns a record's id in the index. Undefined if the record has no id of its own. */
  idOf(record: SourceRecord): string | undefined;
  /**
   * Returns a scanner that finds in a line's bytes the facts that `index` takes from a parsed
   * record. Without this method, every line is parsed.
   */
  scanner?(): LineScanner<Head>;
  /**
   * True if records are looked up by id. If false, ids count as unique, and each record's parent is
   * the record before it.
   */
  looksUp?(index: TreeIndex<Head>): boolean;
  /**
   * True for a record whose lost parent is replaced by the record before the damage.
   *
   * @default {none}
   */
  isBridged?(facts: NodeFacts): boolean;
  /** True for a record from which the agent may continue. @default {all records} */
  isLeaf?(index: TreeIndex<Head>, row: number): boolean;
  /**
   * Completes an index after its last record. May assign parents to records whose parents are lost.
   * The lost ids stay in `lost`, so that they are reported.
   */
  finish?(index: TreeIndex<Head>): void;
}

/** The record types and flags by which records of answers and replies to calls are found. */
export interface AnswerRule {
  /** The number of the record type of answers, as in `IndexFormat.types`. */
  readonly type: number;
  /** Type number of records with replies to calls. `reply_flag`: the flag of these records. */
  readonly reply_type: number;
  readonly reply_flag: number;
  /** The flag of a sub-agent's records, which separates them from the main dialogue. */
  readonly apart_flag: number;
}

export interface PathFormat<Head = unknown> extends IndexFormat<Head> {
  /** Returns the row from which the agent continues, or -1. @default {the last leaf} */
  leaf?(index: TreeIndex<Head>): number;
  /** Returns the rule that finds the next record on the way to the root. @default {the parent} */
  way?(index: TreeIndex<Head>): WayRule;
  readonly answers?: AnswerRule;
  /** True for a note that neither user nor model gets. It begins no branch. @default {none} */
  isAside?(index: RecordIndex, row: number): boolean;
  /** Puts steps in the order in which the model gets them. @default {the order of the path} */
  arrange?(index: TreeIndex<Head>, steps: Steps): Steps;
  isCompaction(index: TreeIndex<Head>, row: number): boolean;
}

export interface TreePath<Head = unknown> {
  readonly index: TreeIndex<Head>;
  readonly steps: Steps;
  readonly broken: readonly BrokenWalk[];
}
