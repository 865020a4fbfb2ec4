/**
 * The reader of OpenCode's sessions.
 *
 * Read from OpenCode 1.18.34: its bundle, a database that it wrote, and what it converts of older
 * layouts. The schema of 2.0 was read too.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { formatReader } from "../../reading/format_reader.ts";
import { EventRun } from "../../reading/linear/format_run.ts";
import { readFormat } from "../../reading/linear/read_format.ts";
import { sqliteFiles } from "../../reading/sqlite/sqlite_file.ts";
import { describedThread } from "../../reading/threads.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { childrenOf, type ChildSession } from "./children.ts";
import { recognizeStore, sessionsIn } from "./find_sessions.ts";
import { openRows } from "./message_rows.ts";
import { opencodeFormat } from "./opencode_format.ts";
import { openSession } from "./store/open_session.ts";

/** Reads sessions of OpenCode in its database, in its older JSON files, and in exports. */
export const opencodeAgent: Agent = {
  name: "opencode",
  recognize: recognizeStore,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  open: formatReader(opencodeFormat, {
    // Messages are found by their number, so that only a thread's edges are read.
    threads: threadsOf,
    // In the older layout each message is a file of its own.
    files: ({ path }) => path.endsWith(".db") ? { paths: sqliteFiles(path) } : undefined,
  }),
};

/** Lists the threads of a session; see {@linkcode SessionReader.threads}. */
async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
  const threads: SessionThread[] = [];
  {
    using records = openSession(session);
    const reverted = records.indexOf(records.info.revert?.message_id) ?? records.count;
    const main: SessionThread = { id: MAIN_THREAD, kind: "main", records: reverted };
    threads.push(await describedThread(main, eventsFrom(session, reverted - 1, reverted)));
    if (reverted < records.count) {
      const known: SessionThread = {
        id: records.info.revert?.message_id ?? "",
        kind: "replaced",
        parent: { thread: MAIN_THREAD },
        records: records.count - reverted,
      };
      const events = eventsFrom(session, reverted, records.count);
      threads.push(await describedThread(known, events));
    }
  }
  for (const child of childrenOf(session)) threads.push(await childThread(child));
  return threads;
}

/** Yields the events of some messages. */
async function* eventsFrom(
  session: AgentSession,
  from: number,
  to: number,
): AsyncGenerator<readonly LogEvent[]> {
  const run = new EventRun(opencodeFormat, session, { needs: SUMMARY_KINDS });
  await run.goOn();
  using rows = openRows({ ...session, with_reverted: true });
  for (let index = Math.max(0, from); index < to; index++) {
    const row = rows.at(index + 1, {});
    if (row === undefined) continue;
    await run.take([{ ...row, position: { offset: index, length: 1, line: index } }]);
    yield run.events();
  }
  await run.end();
  yield run.events();
}

async function childThread(child: ChildSession): Promise<SessionThread> {
  let records = 0;
  {
    using stored = openSession(child);
    records = stored.count;
  }
  const { id, parent: thread } = child;
  const known: SessionThread = { id, kind: "subagent", parent: { thread }, records };
  return await describedThread(known, readFormat(opencodeFormat, child, { needs: SUMMARY_KINDS }));
}
