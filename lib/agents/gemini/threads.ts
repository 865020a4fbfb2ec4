/**
 * Lists the threads of a Gemini CLI chat: the final messages, rewound parts, earlier beginnings,
 * and its sub-agents' chats.
 */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { describedThread } from "../../reading/summary/described_thread.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { indexChat, readGemini, runEvents, runsOf } from "./read.ts";
import { type MessagePlace, takenAway } from "./replay.ts";
import { type Subagent, subagentsOf } from "./subagents.ts";

/** The threads of a chat; see {@linkcode Agent.threads}. */
export async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
  const { index, document } = await indexChat(session.path, {});
  const { messages, head } = index.replay;
  const describe = async (
    known: SessionThread,
    places: Iterable<[string, MessagePlace]>,
  ): Promise<SessionThread> => {
    const writer = new EventWriter(session, SUMMARY_KINDS);
    const runs = runsOf(new Map(places));
    return await describedThread(known, runEvents(session.path, runs, { writer, document, head }));
  };
  const main: SessionThread = { id: MAIN_THREAD, kind: "main", records: messages.size };
  const threads = [await describe(main, [...messages].slice(-1))];
  for (const own of takenAway(index.replay)) {
    const id = own[0]?.[0] ?? "";
    threads.push(
      await describe(
        { id, kind: "replaced", parent: { thread: MAIN_THREAD }, records: own.length },
        own,
      ),
    );
  }
  for (const agent of subagentsOf(session)) {
    const thread = await subagentThread(session, agent);
    // The stub of a resume holds nothing.
    if (thread.records > 0) threads.push(thread);
  }
  return threads;
}

async function subagentThread(
  session: AgentSession,
  { id, path, parent }: Subagent,
): Promise<SessionThread> {
  const { index: { replay } } = await indexChat(path, {});
  const title = replay.head.summary;
  const known: SessionThread = {
    id,
    kind: "subagent",
    parent: { thread: parent },
    records: replay.messages.size,
    ...(typeof title === "string" && title !== "" ? { title } : {}),
  };
  return await describedThread(known, readGemini(session, { needs: SUMMARY_KINDS, thread: id }));
}
