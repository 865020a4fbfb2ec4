/**
 * A session's row in a list.
 *
 * @module
 */
import type { ImportInfo, ParentInfo, TokenUsage } from "../event/payload.ts";

/**
 * The state of a session. `running`: a process has it open now. Where its agent leaves no mark of
 * that, it changed in the last minute. `completed` or `failed`: it was closed. `interrupted`: its
 * writer went away before that. For another agent, its records end in the middle of a turn. `idle`:
 * nothing runs, and the last turn of another agent has ended.
 */
export type SessionStatus = "running" | "completed" | "failed" | "interrupted" | "idle";

/** Another thread than the main one, as a list tells of it. */
export interface ThreadSummary {
  /** The session's id in a reference: `REF~ID`. */
  id: string;
  /** `branch`, `subagent` or `replaced`. */
  kind: string;
  /** The subagent's task, or the first prompt that only this thread has. */
  title?: string;
  /** Records that only this thread has. */
  records: number;
}

/** A session as a list shows it. A field is absent where only a full read would tell. */
export interface Summary {
  /** The session's name on the command line: an id of ours, or `<agent>:<id>`. */
  ref: string;
  /** `reprise`, or the agent that keeps it. */
  agent: string;
  /** UUID v4 of a session of ours, else the id by which its agent knows it. */
  session_id: string;
  /** Absolute path of the log, or of the database that holds it. */
  path: string;
  /** The root of its agent that it lies in; only in a list, where the agent has several there. */
  root?: string;
  /** Absolute path of the directory that it belongs to now; absent where nothing says it. */
  cwd?: string;
  /** The git branch when the session began; absent where its agent does not record it. */
  git_branch?: string;
  /** Last rename, else the title from the start, else the first user message, else empty. */
  title: string;
  /** The first that has text, on one line, at most 300 UTF-16 units; absent if none. */
  first_user_message?: string;
  /** The last that has text, in the same form. */
  last_user_message?: string;
  /** The last error, if no answer followed it, in the form of `first_user_message`. */
  last_error?: string;
  /** ISO 8601, as the session's head or its folder's name says. */
  created_at?: string;
  /** ISO 8601: the last event's time. */
  updated_at?: string;
  /** Number of the last event; checkpoint and close have one too. */
  last_seq?: number;
  /** User and assistant messages. */
  message_count?: number;
  /** Prompts. */
  turn_count?: number;
  /**
   * Milliseconds of work: the sum of the pauses between messages and calls of the main thread.
   * Pauses above five minutes are left out.
   */
  active_ms?: number;
  /** Tokens of all answers together; a count that never occurs is absent. */
  usage?: TokenUsage;
  /** US dollars of all answers together; absent where no answer has a cost. */
  cost_usd?: number;
  /** The part of both that the main thread took, if other threads took something too. */
  main?: { usage: TokenUsage; cost_usd?: number };
  /** A part of the cost was not recorded, but estimated from a table of prices. */
  cost_estimated?: true;
  /** Models that took tokens which are not in the cost, for want of a price. */
  unknown_models?: readonly string[];
  /** Each model once, in the order of its first answer. */
  models?: string[];
  /** The status at the time of reading. */
  status: SessionStatus;
  /** True if the session is hidden from lists: by its log, or by a mark that is later. */
  archived: boolean;
  /** The tags that the user gave it; absent where there are none. */
  tags?: readonly string[];
  /** True if the user pinned it: it comes first in the reader's list, and limits keep it. */
  pinned?: true;
  /** The text that the user wrote about it. */
  note?: string;
  /** ISO 8601: when the log was renamed last. */
  renamed_at?: string;
  /** ISO 8601: when the log was archived or taken back last. */
  archived_at?: string;
  /** The row was made of an event that is not as it was written: title or counts may be wrong. */
  altered?: true;
  /** Absent unless the session was forked or merged. */
  parent?: ParentInfo;
  /** Absent unless the session was made from another agent's. */
  imported_from?: ImportInfo;
  /** The session that this one was made from, where both went on: neither holds all of the other. */
  copy_of?: string;
  /** Sessions that were made from this one, where both went on. */
  copies?: string[];
  /** Its other threads; empty where it has none, absent before they were looked up. */
  threads?: ThreadSummary[];
  /** Size of the log, or of what the database holds of it where that is known. */
  bytes?: number;
}
