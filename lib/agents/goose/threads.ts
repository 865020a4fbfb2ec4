/**
 * Lists the threads of a goose session: the dialogue, with what compactions hide from the model,
 * and its sub-agents' sessions.
 */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { readFormat } from "../../reading/linear/read_format.ts";
import { describedThread } from "../../reading/threads.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { entryOf } from "./goose_entry.ts";
import { gooseFormat } from "./goose_format.ts";
import { gooseSource } from "./goose_source.ts";
import { subagentsOf } from "./subagents.ts";

/** The threads of a session; see {@linkcode SessionReader.threads}. */
export async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
  const threads: SessionThread[] = [
    await countedThread(session, { id: MAIN_THREAD, kind: "main" }),
  ];
  for (const agent of subagentsOf(session)) {
    const known = await countedThread(agent, {
      id: agent.id,
      kind: "subagent",
      parent: { thread: agent.parent },
    });
    threads.push(
      await describedThread(known, readFormat(gooseFormat, agent, { needs: SUMMARY_KINDS })),
    );
  }
  return threads;
}

async function countedThread(
  session: AgentSession,
  known: Omit<SessionThread, "records">,
): Promise<SessionThread> {
  let records = 0;
  let created: number | undefined;
  for await (const entries of gooseSource(session).read()) {
    const messages = entries.flatMap((record) => entryOf(record).message ?? []);
    records += messages.length;
    created = messages.at(-1)?.created ?? created;
  }
  const updated_at = isoTime(created);
  return { ...known, records, ...(updated_at === undefined ? {} : { updated_at }) };
}
