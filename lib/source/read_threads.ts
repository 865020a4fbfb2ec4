/**
 * Reads all threads of a session, each record once.
 */
import type { LogEvent } from "../event/envelope.ts";
import type { Agent, AgentReadOptions, AgentSession } from "./agent.ts";
import { MAIN_THREAD, type SessionThread } from "./session_thread.ts";

/** Events of one thread. */
export interface ThreadEvents {
  /** The thread's id. */
  thread: string;
  /** The next of its events. */
  events: readonly LogEvent[];
}

/** The threads of a session, the main one first; only that one where the agent knows no others. */
export async function threadsOf(agent: Agent, session: AgentSession): Promise<SessionThread[]> {
  return await agent.threads?.(session) ?? [{ id: MAIN_THREAD, kind: "main", records: 0 }];
}

/**
 * The events of all threads. What a thread shares with one before it is not given again: branches
 * begin with the records of the thread that they left.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readThreads(
  agent: Agent,
  session: AgentSession,
  options: Omit<AgentReadOptions, "thread" | "account"> = {},
): AsyncGenerator<ThreadEvents> {
  const [, ...others] = await threadsOf(agent, session);
  const seen = new Set<string>();
  for await (const events of agent.read(session, options)) {
    if (others.length > 0) { for (const event of events) addKey(seen, event); }
    yield { thread: MAIN_THREAD, events };
  }
  for (const { id } of others) {
    const before = new Set(seen);
    for await (const batch of agent.read(session, { ...options, thread: id })) {
      const events = batch.filter((event) => isNew(before, event));
      for (const event of events) addKey(seen, event);
      if (events.length > 0) yield { thread: id, events };
    }
  }
}

/**
 * Names what an event says of its record; undefined where the source gives that no id. One record may
 * be a call in one thread, and an answer in another.
 */
function keyOf(event: LogEvent): string | undefined {
  if (event.form === "unparsed" || event.source?.id === undefined) return undefined;
  // A sub-agent's session has ids of its own.
  return `${event.kind} ${event.source.session_id} ${event.source.id}`;
}

function addKey(seen: Set<string>, event: LogEvent): void {
  const key = keyOf(event);
  if (key !== undefined) seen.add(key);
}

/** Several events may come of one record: what counts is what was there before the thread. */
function isNew(before: ReadonlySet<string>, event: LogEvent): boolean {
  const key = keyOf(event);
  return key === undefined ? event.kind !== "session_started" : !before.has(key);
}
