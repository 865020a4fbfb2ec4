/** Types and flags of records in the index of a Claude Code session. */
import { asList, asName, asObject } from "../../engine/json.ts";
import {
  DAMAGED,
  FIRST_OWN_FLAG,
  hasFlag,
  isInTree,
  type RecordIndex,
  type TreeIndex,
} from "../../engine/tree/record_index.ts";
import type { LinePosition } from "../../../core/event/envelope.ts";
import type { SideFacts } from "../side_facts.ts";

/** Facts kept beside the rows of the index. The keys of `boundaries` are rows of compactions. */
export interface ClaudeHead {
  readonly side: SideFacts;
  readonly boundaries: Map<number, Boundary>;
  readonly queue: PromptQueue;
  /** The last record, if it is an iFlow CLI answer that the next record may repeat and extend. */
  grown?: { row: number; text: string } | undefined;
}

export type ClaudeIndex = TreeIndex<ClaudeHead>;

/** Record types. A type's number is its index in this list. */
export const RECORD_TYPES = ["user", "assistant", "system", "attachment", "progress"] as const;
export const USER = 0;
export const ASSISTANT = 1;
export const SYSTEM = 2;
export const ATTACHMENT = 3;
/**
 * Number of the type `progress`. Records of this type only link other records. So do records of
 * unknown types, whose numbers are higher.
 */
export const PASSING = 4;

/** Flag of a record in a sub-agent's own dialogue. */
export const SIDECHAIN = FIRST_OWN_FLAG;
/** Flag of a record that holds results of calls. */
export const RESULTS = 2 * FIRST_OWN_FLAG;
/** Flag of a record that may be the summary of a compaction. */
export const SUMMARY = 4 * FIRST_OWN_FLAG;

/** Subtype of a `progress` record that holds a sub-agent's message. */
export const AGENT_PROGRESS = "agent_progress";

/** True for an undamaged record of the user or the model. */
export function isSpoken(index: RecordIndex, row: number): boolean {
  return (index.type[row] as number) <= ASSISTANT && !hasFlag(index, row, DAMAGED);
}

export function isOneSidechain(index: RecordIndex): boolean {
  for (let row = 0; row < index.count; row++) {
    const said = isSpoken(index, row) && isInTree(index, row);
    if (said && !hasFlag(index, row, SIDECHAIN)) return false;
  }
  return true;
}

export function timeOf({ time }: RecordIndex, row: number): string | undefined {
  const ms = time[row] as number;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Ids in a compaction's boundary record. They identify the earlier records that are preserved. */
interface Boundary {
  /** The id of the last record before the compaction. */
  logical_parent_id: string | undefined;
  /** Id of the record after which the preserved records are inserted. */
  anchor_id: string | undefined;
  /** Id of the first record that the compaction preserves. */
  head_id: string | undefined;
  /** Id of the last record that the compaction preserves. */
  tail_id: string | undefined;
  /** Ids of all records that the compaction preserves. Empty if it does not list them. */
  ids: readonly string[];
}

export function boundaryOf(value: Readonly<Record<string, unknown>>): Boundary {
  const { preservedSegment, preservedMessages } = asObject(value.compactMetadata);
  const segment = asObject(preservedSegment);
  const messages = asObject(preservedMessages);
  return {
    logical_parent_id: asName(value.logicalParentUuid),
    anchor_id: asName(messages.anchorUuid) ?? asName(segment.anchorUuid),
    head_id: asName(segment.headUuid),
    tail_id: asName(segment.tailUuid),
    ids: asList(messages.uuids).flatMap((id) => asName(id) ?? []),
  };
}

export interface QueuedText {
  text: string;
  position: LinePosition;
  /** Time of the record that holds `text`, in the record's own notation. */
  stamp: string;
  /** Number of dialogue records before the latest record that queued or dequeued `text`. */
  rows: number;
  time: number;
}

export interface PromptQueue {
  readonly waiting: QueuedText[];
  /**
   * Texts that left the queue to begin a turn, or were withdrawn, since the last dialogue record.
   */
  started: QueuedText[];
  /** Texts that were sent to the model during a running turn. */
  readonly taken: QueuedText[];
  /** Number of `queued_command` records by their text. */
  readonly recorded: Map<string, number>;
  /**
   * True if a record removed a text from the queue without naming it. Only the whole file tells
   * which text was removed.
   */
  by_order: boolean;
  /**
   * Rows added to the index for queued prompts that have no record of their own. The key is the row
   * of the last message before them, or −1 at the session's start.
   */
  readonly rows: Map<number, number[]>;
}

export function emptyQueue(): PromptQueue {
  return {
    ...{ waiting: [], started: [], taken: [], recorded: new Map(), by_order: false },
    rows: new Map(),
  };
}
