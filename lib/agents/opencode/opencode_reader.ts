/** The reader of OpenCode's sessions. Of a thread it reads the session that holds it. */
import { type FormatReader, formatReader } from "../../reading/format_reader.ts";
import { chosenThread } from "../../reading/thread_name.ts";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { namedChild } from "./children.ts";
import type { WholeSession } from "./message_rows.ts";
import { opencodeFormat } from "./opencode_format.ts";
import { openSession } from "./store/open_session.ts";

const own = formatReader(opencodeFormat);

/** Reads sessions of OpenCode, those of their sub-agents, and what the user took back. */
export const opencodeReader: FormatReader = {
  ...own,
  // Rows may change, and there are other threads.
  has_lasting_places: false,
  read: (session, { thread, ...options } = {}) => own.read(threadOf(session, thread), options),
  openReading: async (session, { thread, ...options }) =>
    await own.openReading(threadOf(session, thread), options),
  readTail: async (session, { thread, ...options }) =>
    await own.readTail(threadOf(session, thread), options),
};

/**
 * The session that holds a thread. What the user took back is named by its first message or any
 * other.
 *
 * @throws {SessionError} `not-found`
 */
function threadOf(session: AgentSession, thread: string | undefined): WholeSession {
  if (thread === undefined || thread === MAIN_THREAD) return session;
  const child = namedChild(session, thread);
  if (child !== undefined) return child;
  using records = openSession(session);
  const { revert } = records.info;
  if (records.indexOf(thread) === undefined) {
    chosenThread(thread, revert === undefined ? [] : [revert.message_id]);
  }
  return { ...session, with_reverted: true };
}
