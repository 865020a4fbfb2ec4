/**
 * The entries of a session as goose stores it, in its database or in a file from before 1.10.
 * Messages have content items (crates/goose/src/conversation/message.rs, aaif-goose/goose at
 * bcc67cf).
 */
import type { Json } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";

export interface Visibility {
  agent: boolean;
  user: boolean;
}

export interface GooseCompaction {
  /** The message that it ends with; see {@linkcode GooseMessage.at}. */
  at: number;
  /** The last text that only the model gets; empty where there is none. */
  summary: string;
}

export interface GooseMessage extends Visibility {
  /** Number of its row, or its place in the file. */
  at: number;
  id: string;
  role: string;
  /** Milliseconds since 1970. */
  created: number | undefined;
  content: readonly Json[];
  /** The record in a file. */
  record?: SourceRecord;
  /** Ids of the requests in its exchange that have a response. */
  answered?: ReadonlySet<unknown>;
  /** The session's compaction, where not both user and model get the message. */
  compaction?: GooseCompaction | undefined;
}

/** The usage of one call to a model. */
export interface GooseUsage {
  id: string;
  /** Milliseconds since 1970; absent for what a whole session took. */
  created?: number;
  model?: string;
  provider?: string;
  input?: number;
  output?: number;
  cache_read?: number;
  cache_write?: number;
  cost?: number;
  /** Rows that the account counts for it. */
  weight: number;
}

/** The facts in the session's own record. */
export interface GooseInfo {
  id: string;
  name?: string;
  working_dir?: string;
  created_at?: string;
  updated_at?: string;
  archived_at?: string;
  parent_id?: string;
  /** `user`, `scheduled`, `sub_agent`, `hidden`, `terminal`, `gateway`, `acp`. */
  type?: string;
  mode?: string;
}

/** The content of a record; empty for the session's own one in a file. */
export interface GooseEntry {
  info?: GooseInfo;
  message?: GooseMessage;
  usage?: GooseUsage;
  /** The type of a record that is no part of the talk. */
  side?: string;
}

export function entryOf({ value }: SourceRecord): GooseEntry {
  return value;
}

/**
 * Numbers over this are milliseconds, others seconds: session_manager.rs,
 * `MILLISECOND_TIMESTAMP_THRESHOLD`.
 */
const SMALLEST_MILLISECONDS = 10_000_000_000;

export function toMilliseconds(created: unknown): number | undefined {
  if (typeof created !== "number" || !Number.isFinite(created)) return undefined;
  return created > SMALLEST_MILLISECONDS ? created : created * 1000;
}
