/**
 * The reader of goose's sessions.
 *
 * Read from the source of goose (aaif-goose/goose at 017176d, schema 17, and block/goose before).
 * No database that goose itself wrote was at hand.
 */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { formatReader } from "../../reading/format_reader.ts";
import { present } from "../../reading/json_value.ts";
import { readFormat } from "../../reading/linear/read_format.ts";
import { describedThread } from "../../reading/threads.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { recognizeStore, sessionsIn } from "./find_sessions.ts";
import { entryOf } from "./goose_entry.ts";
import { gooseFormat } from "./goose_format.ts";
import { gooseSource, subagentsOf } from "./goose_source.ts";

/** Reads sessions of goose in its database and in its older JSONL files. */
export const gooseAgent: Agent = {
  name: "goose",
  recognize: recognizeStore,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  // Records of a database are counted by a query.
  open: formatReader(gooseFormat, { threads: threadsOf }),
};

/** Lists the threads of a session; see {@linkcode SessionReader.threads}. */
async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
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
  return present({ ...known, records, updated_at: isoTime(created) });
}
