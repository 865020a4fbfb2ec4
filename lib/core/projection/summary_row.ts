/**
 * A session's row in a list.
 *
 * @module
 */
import type { ImportInfo, ParentInfo, TokenUsage } from "../event/payload.ts";

/**
 * The state of a session. `running`: a process has the session open now. If the session's agent
 * does not record open sessions: the session changed in the last minute. `completed` or `failed`:
 * the session was closed. `interrupted`: the writer of a Reprise session ended without closing it.
 * For other agents: the records end in the middle of a turn. `idle`: nothing runs, and the last
 * turn of another agent's session has ended.
 */
export type SessionStatus = "running" | "completed" | "failed" | "interrupted" | "idle";

/** A thread of a session in a list; never the main thread. */
export interface ThreadSummary {
  /** The thread's id, as in the reference `REF~ID`. */
  id: string;
  /** The kind of the thread: `branch`, `subagent` or `replaced`. */
  kind: string;
  /** The subagent's task, or the first prompt that only this thread has. */
  title?: string;
  /** Number of records that only this thread has. */
  records: number;
}

/** A session as a list shows it. Many fields are absent if only a full read can tell them. */
export interface Summary {
  /** The session's name on the command line: the id of a Reprise session, or `<agent>:<id>`. */
  ref: string;
  /** `reprise`, or the name of the agent whose session it is. */
  agent: string;
  /** Id of a Reprise session: a UUID v4, or its program's choice; else the other agent's own id. */
  session_id: string;
  /** Absolute path of the log, or of the database that has the session. */
  path: string;
  /** Path of the agent's root with the session; only in lists, and if there are several roots. */
  root?: string;
  /** Name of the user's other machine that sent the session; absent for sessions of this machine. */
  machine?: string;
  /** Absolute path of the directory that the session belongs to now; absent if unknown. */
  cwd?: string;
  /** Name of the program that began a session of Reprise; absent if none, and for other agents. */
  app?: string;
  /** The git branch when the session began; absent if the agent does not record it. */
  git_branch?: string;
  /** The last rename's title, else the header's title, else the first user message, else empty. */
  title: string;
  /** The first user message that has text: one line, at most 300 UTF-16 units; absent if none. */
  first_user_message?: string;
  /** The last user message that has text, in the form of `first_user_message`. */
  last_user_message?: string;
  /**
   * The error of the last answer, if the answer failed, in the form of `first_user_message`. A
   * later answer clears it, and so does a turn that the user stopped.
   */
  last_error?: string;
  /** ISO 8601: time of creation, from the session's head or its folder's name. */
  created_at?: string;
  /**
   * ISO 8601: time of the last message or call, or of the first close of the session after it.
   * Titles, archive flags and later closes do not change it. For a fork without a newer message:
   * time of the fork. For other agents: time of the last event.
   */
  updated_at?: string;
  /** Number of the last event, even if it is a checkpoint or a close. */
  last_seq?: number;
  /** Number of user and assistant messages. */
  message_count?: number;
  /** Number of prompts. */
  turn_count?: number;
  /**
   * Milliseconds of work: the sum of the pauses between messages and calls of the main thread.
   * Pauses above five minutes are left out.
   */
  active_ms?: number;
  /**
   * Tokens of all answers together; a count that never occurs is absent. Includes answers in the
   * sessions of subagents, and excludes answers that a fork copied.
   */
  usage?: TokenUsage;
  /**
   * Cost in US dollars of the answers in `usage`. Absent if no answer has a cost. Each answer
   * counts in one row of a list only, so that the costs of rows may be summed.
   */
  cost_usd?: number;
  /** Usage and cost without subagents; absent if no subagent has usage. */
  main?: { usage: TokenUsage; cost_usd?: number };
  /** True if a part of the cost was estimated from a table of prices, not recorded. */
  cost_estimated?: true;
  /** Models whose tokens are not in the cost, because they have no known price. */
  unknown_models?: readonly string[];
  /** Names of the models, in the order of their first answers, each once. */
  models?: string[];
  /** The status at the time of reading. */
  status: SessionStatus;
  /** The outcome with which the session was closed, for people; absent if there is none. */
  summary?: string;
  /** Exit code of the program that closed the session; absent if there is none. */
  exit_code?: number;
  /** True if lists hide the session. The log records this, or the user marked the session later. */
  archived: boolean;
  /** The user's tags of the session; absent if there are none. */
  tags?: readonly string[];
  /** True if the user pinned the session. Limits do not remove it, and commands list it first. */
  pinned?: true;
  /** The user's note about the session. */
  note?: string;
  /** ISO 8601: time of the last rename in the log. */
  renamed_at?: string;
  /** ISO 8601: time of the last event that set or cleared `archived` in the log. */
  archived_at?: string;
  /** True if an event was changed after it was written, so that title or counts may be wrong. */
  altered?: true;
  /** The parent of a forked or merged session; absent for others. */
  parent?: ParentInfo;
  /** The original of a session that was imported; absent for others. */
  imported_from?: ImportInfo;
  /** The session from which this session was copied, if both have continued since. */
  copy_of?: string;
  /** The copies of this session, if both the copy and this session have continued since. */
  copies?: string[];
  /** The threads beside the main thread; empty if none, absent before they are looked up. */
  threads?: ThreadSummary[];
  /** Size of the log in bytes, or of the session's part of a database; absent if unknown. */
  bytes?: number;
}
