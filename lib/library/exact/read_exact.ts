/** Reads a whole session for its counts. */
import { SessionError, type SessionErrorData } from "../../event/session_error.ts";
import type { Summary, ThreadSummary } from "../../projection/summary_row.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { threadsOf } from "../../source/read_threads.ts";
import type { ReadFiles } from "../catalogue/read_part.ts";
import { lookAtSession, type SeenState } from "../catalogue/session_state.ts";
import { filesToRead } from "../keep_counts.ts";
import { loadAgent } from "../registry.ts";

/** The counts of one session. Plain data: a thread can send it. */
export interface ExactRead {
  /** The files that were read. */
  files: ReadFiles;
  /** The state in which they were seen before. */
  seen: SeenState;
  /** The session's summary; absent where it has none or could not be read. */
  summary?: Summary;
  /** Why it could not be read. */
  error?: { code: SessionError["code"]; message: string; data: SessionErrorData };
}

/** Reads the whole of a session. */
export async function readExact(session: AgentSession): Promise<ExactRead> {
  const files = await filesToRead(session);
  const seen = lookAtSession(session, files.files);
  const agent = await loadAgent(session.agent);
  try {
    const summary = await agent.summarize(session, { exact: true });
    if (summary === undefined) return { files, seen };
    const threads = await otherThreads(agent, session);
    return { files, seen, summary: { ...summary, threads } };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    const { code, message, data } = error;
    return { files, seen, error: { code, message, data } };
  }
}

async function otherThreads(agent: Agent, session: AgentSession): Promise<ThreadSummary[]> {
  const [, ...others] = await threadsOf(agent, session);
  return others.map(({ id, kind, title, records }) =>
    title === undefined ? { id, kind, records } : { id, kind, title, records }
  );
}
