/**
 * A session as goose stores it, in its database or in a file of before 1.10. Messages have content
 * items (crates/goose/src/conversation/message.rs, aaif-goose/goose at bcc67cf).
 */
import type { SourceAccount } from "../../source/agent.ts";
import type { RecordSink, SourceRecord } from "../../reading/records/source_record.ts";

/** An object of JSON that may hold anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** Who gets a message. */
export interface Visibility {
  agent: boolean;
  user: boolean;
}

/** One message. */
export interface GooseMessage extends Visibility {
  /** Rises with each message: its index, or its place in the file. */
  ordinal: number;
  id: string;
  role: string;
  /** Milliseconds since 1970. */
  created: number | undefined;
  content: readonly Fields[];
  /** What it counts in the account, in rows or bytes. */
  weight: number;
  /** Where it lies, in a file. */
  record?: SourceRecord;
}

/** What one call to a model took. */
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
}

/** What the session's own record says. */
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
  /** What it counts in the account; 0 where it is lost. */
  weight: number;
}

/** A session that is open to read. */
export interface GooseSession extends Disposable {
  readonly unit: SourceAccount["unit"];
  /** Undefined when there is no session at all. */
  readonly info: GooseInfo | undefined;
  /** By their time, each call once. */
  readonly usage: readonly GooseUsage[];
  /**
   * The ordinal of the last message that not both user and model get, and so the end of what a
   * compaction stands for; -1 when there is none.
   */
  lastHidden(): Promise<number>;
  /** The messages in the agent's order, in batches. What is damaged goes to `sink`. */
  messages(sink: RecordSink & { signal?: AbortSignal | undefined }): AsyncIterable<GooseMessage[]>;
  /** The first or the last message that is wanted, where that costs no full read. */
  find?(
    isWanted: (message: GooseMessage) => boolean,
    which: "first" | "last",
  ): GooseMessage | undefined;
  /** Counts what is left: records that belong to the session and are no messages of it. */
  countRest(sink: RecordSink): void;
}

/**
 * Numbers over this are milliseconds, others seconds: session_manager.rs,
 * `MILLISECOND_TIMESTAMP_THRESHOLD`.
 */
const SMALLEST_MILLISECONDS = 10_000_000_000;

/** A message's time in milliseconds. */
export function toMilliseconds(created: unknown): number | undefined {
  if (typeof created !== "number" || !Number.isFinite(created)) return undefined;
  return created > SMALLEST_MILLISECONDS ? created : created * 1000;
}
