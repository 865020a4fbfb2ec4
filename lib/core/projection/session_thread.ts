/**
 * The threads of a session. Besides the main thread, which its agent would resume, a session may
 * have branches and subagents.
 *
 * @module
 */
import type { TokenUsage } from "../event/payload.ts";
import { SessionError } from "../event/session_error.ts";

export const MAIN_THREAD = "main";

/** The main thread of a session, a branch, a subagent, or a part that a rewind cut off. */
export interface SessionThread {
  /**
   * The agent's own id of the thread, such as a subagent's. Without such an id, the id of the first
   * record that only this thread has. The main thread's id is {@linkcode MAIN_THREAD}. Unique
   * within the session.
   */
  id: string;
  /** `main`, `branch`, `subagent`, or `replaced` for a thread that a rewind cut off. */
  kind: "main" | "branch" | "subagent" | "replaced";
  /** The thread in which this thread began, and the event after which it began, if known. */
  parent?: { thread: string; seq?: number };
  /** One line: the subagent's task, or the first prompt that only this thread has. */
  title?: string;
  /** Number of records that only this thread has. */
  records: number;
  /** The labels of events that only this thread has, by event number; absent if there are none. */
  labels?: Readonly<Record<number, string>>;
  /** ISO 8601: the time of the thread's last record. */
  updated_at?: string;
  /** Tokens of the responses that only this thread has. */
  usage?: TokenUsage;
}

export function assertMainThread(thread: string | undefined, path: string): void {
  if (thread === undefined || thread === MAIN_THREAD) return;
  const message = `Cannot find branch or subagent "${thread}": the session has none`;
  throw new SessionError("not-found", message, { ref: thread, path });
}
