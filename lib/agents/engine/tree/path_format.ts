/**
 * The part of a format of trees that finding a path needs. It tells which records there are, and which
 * each follows.
 */
import type { ByteFinder } from "../../../core/log/byte_finder.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { NewRecord, RecordIndex, TreeIndex } from "./record_index.ts";
import type { Steps } from "./steps.ts";
import type { BrokenWalk, WayRule } from "./walk_branch.ts";

/** The facts of a record that the index stores. */
export interface NodeFacts {
  id: string;
  /** The id of the parent record. Absent at a root; null if the record follows the one before. */
  parent_id?: string | null | undefined;
  /** The agent's names for the record's type and, in `subtype`, its variety. */
  type: string;
  subtype?: string | undefined;
  /** Flags of the index and of the format, combined by bitwise or. */
  flags?: number;
  /** The record's time in milliseconds since 1970, or NaN. */
  time?: number;
  /** The number of the answer to which the record belongs; 0 for none. */
  answer?: number;
}

/**
 * A record's place: in the tree, in the session's head, or `beside` the dialogue. Head records
 * count as events; others beside it count by their type.
 */
export type Indexed = NodeFacts | "head" | { beside: string };

/** The result of scanning a line; undefined if the line must be parsed. */
export type Scanned = "record" | "head" | { beside: string } | undefined;

/** A scanner that reads a file's lines without parsing them. */
export interface LineScanner<Head = unknown> {
  /** Prepares for the lines of a block or, without a finder, for a single line. */
  begin?(bytes: Uint8Array, end: number, finder?: ByteFinder): void;
  /**
   * Scans the line from `start` to `end` into `found`. It must set every field except the position,
   * as `found` still has the previous line's values.
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
  /** The rule for records with one id: the last counts, or they are pieces of one record. */
  readonly repeated: "last" | "joined";
  /** Types with fixed numbers in the index: each one's position in this list. */
  readonly types?: readonly string[];
  /** Returns the empty notes on a file, before its first record. */
  head(): Head;
  /** Returns a record's place, and stores facts about the whole session in the index's head. */
  index(record: SourceRecord, index: TreeIndex<Head>): Indexed;
  /** Returns a record's id in the index; undefined if the record has no id of its own. */
  idOf(record: SourceRecord): string | undefined;
  /**
   * Returns a scanner that reads from a line's bytes what `index` reads from the record. Without
   * it, every line is parsed.
   */
  scanner?(): LineScanner<Head>;
  /**
   * True if records are looked up by id. If false, ids in a file that is one chain are assumed to
   * be unique. @default {true}
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
 * The rule for answers that consist of several records, and for the replies to their calls beside
 * the path.
 */
export interface AnswerRule {
  /** The number of the type of an answer's records. */
  readonly type: number;
  /** The number of the type of replies. `reply_flag` is the flag that replies have. */
  readonly reply_type: number;
  readonly reply_flag: number;
  /** The flag that keeps records of two dialogues apart. */
  readonly apart_flag: number;
}

/** The part of a format that finding a path needs. */
export interface PathFormat<Head = unknown> extends IndexFormat<Head> {
  /** Returns the row from which the agent continues; -1 for none. @default {the last leaf} */
  leaf?(index: TreeIndex<Head>): number;
  /** Returns the rule that leads to a previous record. @default {from a record to its parent} */
  way?(index: TreeIndex<Head>): WayRule;
  /** The rule for answers that consist of several records. @default {none is} */
  readonly answers?: AnswerRule;
  /** True for a record that addresses no one, so that it begins no branch. @default {none} */
  isAside?(index: RecordIndex, row: number): boolean;
  /** Puts steps in the order in which the model gets them. @default {in the order of the way} */
  arrange?(index: TreeIndex<Head>, steps: Steps): Steps;
  /** True for a record that replaces all earlier ones for the model. */
  isCompaction(index: TreeIndex<Head>, row: number): boolean;
}

/** One path through a tree, from a root to its last record. */
export interface TreePath<Head = unknown> {
  readonly index: TreeIndex<Head>;
  readonly steps: Steps;
  readonly broken: readonly BrokenWalk[];
}
