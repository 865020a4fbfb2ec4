/** Finds and describes threads in formats that store several threads per session. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { SUMMARY_KINDS } from "../../../core/event/policy.ts";
import type { AgentSession, AgentThreadsOptions, OpenThreads } from "../../contract/agent.ts";
import {
  assertMainThread,
  MAIN_THREAD,
  type SessionThread,
} from "../../../core/projection/session_thread.ts";
import { present } from "../json.ts";
import type { FormatThread, SessionFormat } from "../session_format.ts";
import type { AgentReads } from "../session_reader.ts";
import { chosenThread, describedThread } from "../threads.ts";
import { EventRun } from "./format_run.ts";
import { readFormat } from "./read_format.ts";

/** The session that stores a thread's records, and the thread's id within that session. */
interface HeldThread {
  session: AgentSession;
  thread: string;
}

/**
 * Finds a thread by its id, a prefix of the id, or the id of one of its records.
 *
 * @throws {SessionError} `not-found`, `ambiguous`, and the codes of reading the session
 */
export async function findThread(
  { threads, threadWith, holderOf }: SessionFormat,
  session: AgentSession,
  name = MAIN_THREAD,
): Promise<HeldThread> {
  if (name === MAIN_THREAD) return { session, thread: MAIN_THREAD };
  if (holderOf !== undefined) return { session: holderOf(session, name), thread: MAIN_THREAD };
  if (threads === undefined) assertMainThread(name, session.path);
  const known = await threads?.(session) ?? [];
  const ids = known.map(({ id }) => id);
  const holder = ids.includes(name)
    ? undefined
    : known.find(({ record_ids }) => record_ids?.includes(name));
  if (holder === undefined && !ids.some((id) => id.startsWith(name))) {
    const found = await threadWith?.(session, name);
    if (found !== undefined) return heldThread(session, found);
  }
  const id = holder?.id ?? chosenThread(name, ids);
  return heldThread(session, known.find((thread) => thread.id === id));
}

function heldThread(session: AgentSession, known: FormatThread | undefined): HeldThread {
  return known?.session === undefined
    ? { session, thread: known?.thread ?? known?.id ?? MAIN_THREAD }
    : { session: known.session, thread: known.thread ?? MAIN_THREAD };
}

/**
 * Lists the threads of a session. See {@linkcode AgentReads}.
 *
 * @param summarize Summarizes a thread that is a session of its own.
 */
export async function describeThreads(
  format: SessionFormat,
  session: AgentSession,
  summarize: AgentReads["summarize"],
): Promise<SessionThread[]> {
  const threads: SessionThread[] = [];
  for (const described of await format.threads?.(session) ?? []) {
    const { session: holder, thread, record_ids: _, own, ...known } = described;
    if (own !== undefined) {
      const held = heldThread(session, described);
      threads.push(await describedThread(known, ownEvents(format, held, own())));
    } else if (holder !== undefined && thread === undefined) {
      const { title, updated_at } = await summarize(holder, {}) ?? {};
      threads.push({ ...present({ title, updated_at }), ...known });
    } else threads.push(known);
  }
  return threads;
}

async function* ownEvents(
  format: SessionFormat,
  { session, thread }: HeldThread,
  own: ReturnType<NonNullable<FormatThread["own"]>>,
): AsyncGenerator<readonly LogEvent[]> {
  const run = new EventRun(format, session, { needs: SUMMARY_KINDS, thread });
  await run.goOn();
  for await (const records of own) {
    await run.take(records);
    yield run.events();
  }
  await run.end();
  yield run.events();
}

export async function openFormatThreads(
  format: SessionFormat,
  session: AgentSession,
  options: AgentThreadsOptions,
): Promise<OpenThreads> {
  const known = await format.threads?.(session) ?? [];
  const held = new Map(known.map((thread) => [thread.id, heldThread(session, thread)]));
  return {
    ids: [...held.keys()],
    read(id): AsyncIterable<readonly LogEvent[]> {
      const { session: holder, thread } = held.get(id) ?? { session, thread: id };
      return readFormat(format, holder, { ...options, thread });
    },
  };
}
