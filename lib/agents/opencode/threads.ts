/**
 * Lists the threads of an OpenCode session: the dialogue, reverted parts, and its sub-agents'
 * sessions.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { describedThread } from "../../reading/summary/described_thread.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { childrenOf, type ChildSession } from "./children.ts";
import { readSession, startWalk, writeStep } from "./read.ts";
import { openSession } from "./store/open_session.ts";
import type { StoredSession } from "./stored_session.ts";

/** The threads of a session; see {@linkcode Agent.threads}. */
export async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
  const threads: SessionThread[] = [];
  {
    using records = openSession(session);
    const reverted = records.indexOf(records.info.revert?.message_id) ?? records.count;
    const main: SessionThread = { id: MAIN_THREAD, kind: "main", records: reverted };
    threads.push(await describedThread(main, eventsFrom(session, records, reverted - 1, reverted)));
    if (reverted < records.count) {
      const known: SessionThread = {
        id: records.info.revert?.message_id ?? "",
        kind: "replaced",
        parent: { thread: MAIN_THREAD },
        records: records.count - reverted,
      };
      const events = eventsFrom(session, records, reverted, records.count);
      threads.push(await describedThread(known, events));
    }
  }
  for (const child of childrenOf(session)) threads.push(await childThread(child));
  return threads;
}

/** The events of some messages. */
async function* eventsFrom(
  session: AgentSession,
  records: StoredSession,
  from: number,
  to: number,
): AsyncGenerator<readonly LogEvent[]> {
  const writer = new EventWriter(session, SUMMARY_KINDS);
  const state = startWalk();
  for (let index = Math.max(0, from); index < to; index++) {
    const message = records.load(index);
    if (message === undefined) continue;
    writeStep(writer, session, records, state, { index, message, next: undefined });
    yield writer.take();
  }
}

async function childThread(child: ChildSession): Promise<SessionThread> {
  let records = 0;
  {
    using stored = openSession(child);
    records = stored.count;
  }
  const { id, parent: thread } = child;
  const known: SessionThread = { id, kind: "subagent", parent: { thread }, records };
  return await describedThread(known, readSession(child, { needs: SUMMARY_KINDS }));
}
