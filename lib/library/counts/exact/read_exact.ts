/** Reads a whole session for its counts, and reports read errors as data. */
import { SessionError, type SessionErrorData } from "../../../core/event/session_error.ts";
import type { Summary, ThreadSummary } from "../../../core/projection/summary_row.ts";
import type { AgentSession, SessionReader } from "../../../agents/contract/agent.ts";
import type { ReadFiles } from "../../catalogue/read_part.ts";
import { lookAtSession, type SeenState } from "../../catalogue/session_state.ts";
import { filesToRead } from "../keep_counts.ts";
import { openReader } from "../../machine/registry.ts";

/** The counts of one session as plain data, which a worker thread can send. */
export interface ExactRead {
  files: ReadFiles;
  /** The state of the session's files before the read. */
  seen: SeenState;
  /** Absent if the session has no summary or could not be read. */
  summary?: Summary;
  error?: { code: SessionError["code"]; message: string; data: SessionErrorData };
}

export async function readExact(session: AgentSession): Promise<ExactRead> {
  const files = filesToRead(session);
  const seen = lookAtSession(session, files.files);
  const reader = await openReader(session);
  try {
    const summary = await reader.summarize({ exact: true });
    if (summary === undefined) return { files, seen };
    const threads = await otherThreads(reader);
    return { files, seen, summary: { ...summary, threads } };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    const { code, message, data } = error;
    return { files, seen, error: { code, message, data } };
  }
}

async function otherThreads(reader: SessionReader): Promise<ThreadSummary[]> {
  const [, ...others] = await reader.threads();
  return others.map(({ id, kind, title, records }) =>
    title === undefined ? { id, kind, records } : { id, kind, title, records }
  );
}
