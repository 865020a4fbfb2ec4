/** Describes threads that are stored in files of lines. */
import type { AgentSession } from "../../contract/agent.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import type { FormatThread } from "../session_format.ts";
import { lineSource } from "../sources/line_source.ts";

export type ThreadRecords = Pick<FormatThread, "records" | "own">;

export async function lineRecords({ path }: AgentSession): Promise<ThreadRecords> {
  let records = 0;
  for await (const batch of lineSource(path).read()) records += batch.length;
  return { records, own: () => lineSource(path).read() };
}

/**
 * Describes the threads of subagents whose sessions have files of their own.
 *
 * @param parentOf Returns the id of the thread that started a subagent's session. @default {the
 * main thread}
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
