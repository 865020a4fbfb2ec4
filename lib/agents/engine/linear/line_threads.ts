/** Describes threads that lie in files of lines. */
import type { AgentSession } from "../../contract/agent.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import type { FormatThread } from "../session_format.ts";
import { lineSource } from "../sources/line_source.ts";

/** The number of a thread's records, and a reader of the records that no other thread has. */
export type ThreadRecords = Pick<FormatThread, "records" | "own">;

/** Counts a file's records, and returns how to read them. */
export async function lineRecords({ path }: AgentSession): Promise<ThreadRecords> {
  let records = 0;
  for await (const batch of lineSource(path).read()) records += batch.length;
  return { records, own: () => lineSource(path).read() };
}

/**
 * Returns the threads of subagents that have files of their own.
 *
 * @param parentOf Returns the thread that started one. @default {the main thread}
 */
export function subagentThreads(
  sessions: readonly AgentSession[],
  parentOf: (session: AgentSession) => string = () => MAIN_THREAD,
): Promise<FormatThread[]> {
  return Promise.all(sessions.map(async (session): Promise<FormatThread> => {
    const parent = { thread: parentOf(session) };
    return { id: session.id, kind: "subagent", parent, session, ...await lineRecords(session) };
  }));
}
