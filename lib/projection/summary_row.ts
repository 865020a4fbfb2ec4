/**
 * What a list shows of a session.
 *
 * @module
 */
import type { ParentInfo, TokenUsage } from "../event/payload.ts";

/**
 * How a session stands: `active`, a process writes it now; `completed` or `failed`, it was closed;
 * `interrupted`, its writer went away.
 */
export type SessionStatus = "active" | "completed" | "failed" | "interrupted";

/** A session as a list shows it. A field is absent where only a full read would tell. */
export interface Summary {
  /** What names it on the command line: an id of ours, or `<agent>:<id>`. */
  ref: string;
  /** `reprise`, or the agent that keeps it. */
  agent: string;
  /** UUID v4 of a session of ours, else the id by which its agent knows it. */
  session_id: string;
  /** Absolute path of the log, or of the database that holds it. */
  path: string;
  /** Absolute path of the directory that it belongs to now; absent where nothing says it. */
  cwd?: string;
  /** Last rename, else the title from the start, else the first user message, else empty. */
  title: string;
  /** The first that has text, on one line, at most 300 UTF-16 units; absent if none. */
  first_user_message?: string;
  /** The last that has text, in the same form. */
  last_user_message?: string;
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
  /** Tokens of all answers together; a count that never occurs is absent. */
  usage?: TokenUsage;
  /** US dollars of all answers together; absent where no answer has a cost. */
  cost_usd?: number;
  /** Each model once, in the order of its first answer. */
  models?: string[];
  /** As it was at the time of reading; `active` means that the lock was held. */
  status: SessionStatus;
  /** Whether it is put away: by its log, or by a mark that is later. */
  archived: boolean;
  /** Absent unless the session was forked or merged. */
  parent?: ParentInfo;
  /** Size of the log, or of what the database holds of it where that is known. */
  bytes?: number;
}
