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
  /** The `at` of the last message that only the user or only the model gets. */
  at: number;
  /** The last text that only the model gets. Empty if there is none. */
  summary: string;
}

export interface GooseMessage extends Visibility {
  /** The message's row number, or its position in the file. */
  at: number;
  id: string;
  role: string;
  /** The time of the message in milliseconds since 1970. */
  created: number | undefined;
  content: readonly Json[];
  /** The message's record. Absent for a message in a database. */
  record?: SourceRecord;
  /** Ids of the requests in this exchange that have a response. Absent if not determined. */
  answered?: ReadonlySet<unknown>;
  /** The session's last compaction. Only set if just one of user and model gets the message. */
  compaction?: GooseCompaction | undefined;
}

/** The usage of one model call, or of a whole session. */
export interface GooseUsage {
  id: string;
  /** The time of the call in milliseconds since 1970. Absent for a session's total. */
  created?: number;
  model?: string;
  provider?: string;
  input?: number;
  output?: number;
  cache_read?: number;
  cache_write?: number;
  cost?: number;
  /** 1 if this usage is a record of its own, a row of `usage_ledger`. 0 for a session's total. */
  weight: number;
}

export interface GooseInfo {
  id: string;
  name?: string;
  working_dir?: string;
  created_at?: string;
  updated_at?: string;
  archived_at?: string;
  parent_id?: string;
  /** Session type: `user`, `scheduled`, `sub_agent`, `hidden`, `terminal`, `gateway`, `acp`. */
  type?: string;
  mode?: string;
}

/** The value of a record. It is empty for the metadata line of a file. */
export interface GooseEntry {
  info?: GooseInfo;
  message?: GooseMessage;
  usage?: GooseUsage;
  /** The record's type if it is not part of the dialogue. */
  side?: string;
}

export function entryOf({ value }: SourceRecord): GooseEntry {
  return value;
}

/**
 * The largest number taken as seconds. Larger numbers are milliseconds (session_manager.rs,
 * `MILLISECOND_TIMESTAMP_THRESHOLD`).
 */
const SMALLEST_MILLISECONDS = 10_000_000_000;

export function toMilliseconds(created: unknown): number | undefined {
  if (typeof created !== "number" || !Number.isFinite(created)) return undefined;
  return created > SMALLEST_MILLISECONDS ? created : created * 1000;
}
