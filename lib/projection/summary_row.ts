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
  session_id: string;
  /** Absolute path of the log, or of the database that holds it. */
  path: string;
  cwd?: string;
  title: string;
  first_user_message?: string;
  last_user_message?: string;
  /** ISO 8601. */
  created_at?: string;
  /** ISO 8601: the last event's time. */
  updated_at?: string;
  last_seq?: number;
  /** User and assistant messages. */
  message_count?: number;
  /** Prompts. */
  turn_count?: number;
  usage?: TokenUsage;
  cost_usd?: number;
  models?: string[];
  status: SessionStatus;
  archived: boolean;
  parent?: ParentInfo;
  /** Size of the log, or of what the database holds of it where that is known. */
  bytes?: number;
}
