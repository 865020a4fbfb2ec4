/**
 * Lists the threads of an OpenCode session: the dialogue, reverted parts, and its sub-agents'
 * sessions.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { describedThread } from "../../reading/threads.ts";
import { EventRun } from "../../reading/linear/format_run.ts";
import { readFormat } from "../../reading/linear/read_format.ts";
import { childrenOf, type ChildSession } from "./children.ts";
import { openRows } from "./message_rows.ts";
import { opencodeFormat } from "./opencode_format.ts";
import { openSession } from "./store/open_session.ts";

/** The threads of a session; see {@linkcode SessionReader.threads}. */
export async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
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

/** The events of some messages. */
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
