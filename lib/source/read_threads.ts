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

/** How to read all threads. */
export interface ReadThreadsOptions extends Omit<AgentReadOptions, "thread" | "account"> {
  /** The events of the main thread, where these are read in another way. @default {they are read} */
  main?: AsyncIterable<readonly LogEvent[]>;
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
  { main: own_main, ...options }: ReadThreadsOptions = {},
): AsyncGenerator<ThreadEvents> {
  const open = await agent.openThreads?.(session, options);
  const ids = open?.ids ?? (await threadsOf(agent, session)).map(({ id }) => id);
  const seen = new Set<string>();
  for (const thread of ids) {
    const main = thread === MAIN_THREAD;
    const named = main ? options : { ...options, thread };
    const own: string[] = [];
    const given = main ? own_main : undefined;
    for await (const batch of given ?? open?.read(thread) ?? agent.read(session, named)) {
      const events = main ? batch : batch.filter((event) => isNew(seen, event));
      if (ids.length > 1) own.push(...events.flatMap((event) => keyOf(event) ?? []));
      if (main || events.length > 0) yield { thread, events };
    }
    for (const key of own) seen.add(key);
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

/** Several events may come of one record: what counts is what was there before the thread. */
function isNew(before: ReadonlySet<string>, event: LogEvent): boolean {
  const key = keyOf(event);
  return key === undefined ? event.kind !== "session_started" : !before.has(key);
}
