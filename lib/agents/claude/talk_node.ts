/**
 * A record of a talk of Claude Code, as far as it must be known to find the live branch.
 */
import type { TreeNode } from "../record_tree.ts";
import type { RecordPlace } from "../records_at.ts";

/** What a compaction keeps of what was before it. */
export interface Boundary {
  /** The record that was the last one before. */
  logical_parent_id?: string;
  /** The record behind which what is kept stands now. */
  anchor_id?: string;
  /** What is kept: by its first and last record, or one by one. */
  head_id?: string;
  tail_id?: string;
  ids?: readonly string[];
}

/** A record of the talk: what it is, what it follows, where it lies. */
export interface TalkNode extends TreeNode, RecordPlace {
  type: string;
  /** Of a `system` or an `attachment` record. */
  subtype?: string | undefined;
  /** Of a sub-agent's own talk. */
  sidechain?: boolean | undefined;
  timestamp?: string | undefined;
  /** Of an `assistant` record: records of one answer of the model share it. */
  message_id?: string | undefined;
  boundary?: Boundary;
  /** Its line is damaged: it leads to its parent, and says nothing else. */
  damaged?: boolean;
  /** Of a `user` record: it seems to hold results of calls. A hint for those who look for prompts. */
  results?: boolean | undefined;
  /** Its place among all records. */
  order: number;
}

/** A record as its line tells it: `parent_id` is null at a root, and undefined where it is not said. */
export type Found = Omit<TalkNode, "parent_id"> & { parent_id: string | null | undefined };
