/** Finds the session that holds a thread: a sub-agent's, or this one with what the user took back. */
import { chosenThread } from "../../reading/threads.ts";
import type { AgentSession } from "../../source/agent.ts";
import { namedChild } from "./children.ts";
import type { WholeSession } from "./message_rows.ts";
import { openSession } from "./store/open_session.ts";

/**
 * Finds it by the thread's name. What the user took back is named by its first message or any other.
 *
 * @throws {SessionError} `not-found`
 */
export function threadHolder(session: AgentSession, thread: string): WholeSession {
  const child = namedChild(session, thread);
  if (child !== undefined) return child;
  using records = openSession(session);
  const { revert } = records.info;
  if (records.indexOf(thread) === undefined) {
    chosenThread(thread, revert === undefined ? [] : [revert.message_id]);
  }
  return { ...session, with_reverted: true };
}
