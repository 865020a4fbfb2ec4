/**
 * Lists the threads of a session: rolled-back parts, its agents' threads, and rolled-back parts of
 * those.
 */
import { SessionError } from "../../event/session_error.ts";
import { excerpt } from "../../projection/summary.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { present } from "../../reading/json_value.ts";
import { readLineage } from "./lineage.ts";

import { deadBefore, deadBeside, findRollbacks } from "./rollback.ts";
import type { DeadRange } from "./rollback_scan.ts";
import type { CodexSession } from "./rollout.ts";
import { rolloutForm } from "./rollout_name.ts";
import { spawnedBeside } from "./spawned.ts";
import { summarizeCodex } from "./summarize.ts";
import type { ChosenThread } from "./walk_thread.ts";

/** A thread, and what is read of it. */
interface CodexThread extends ChosenThread {
  thread: SessionThread;
}

/** The threads of a session; see {@linkcode Agent.threads}. */
export async function threadsOfCodex(session: CodexSession): Promise<SessionThread[]> {
  return (await allThreads(session)).map(({ thread }) => thread);
}

/**
 * The thread that a name means: its id or the first characters of it, or the id of any record on it.
 *
 * @throws {SessionError} `not-found`, `ambiguous`
 */
export async function chooseThread(session: CodexSession, name: string): Promise<ChosenThread> {
  if (name === MAIN_THREAD) return { session };
  const threads = await allThreads(session);
  const exact = threads.find(({ thread }) => thread.id === name);
  if (exact !== undefined) return exact;
  const [first, ...more] = threads.filter(({ thread }) => thread.id.startsWith(name));
  if (first !== undefined && more.length > 0) {
    const candidates = [first, ...more].map(({ thread }) => thread.id);
    const message = `Cannot choose thread: "${name}" fits ${candidates.length}: ` +
      `${candidates.slice(0, 5).join(", ")}; give more of the id`;
    throw new SessionError("ambiguous", message, { ref: name, candidates });
  }
  return first ?? await threadWithRecord(threads, name);
}

async function threadWithRecord(
  threads: readonly CodexThread[],
  id: string,
): Promise<ChosenThread> {
  let missing: unknown;
  for (const { session } of new Map(threads.map((one) => [one.session.path, one])).values()) {
    try {
      return { session, dead: await deadBeside(await readLineage(session.path), id) };
    } catch (error) {
      if (!(error instanceof SessionError && error.code === "not-found")) throw error;
      missing ??= error;
    }
  }
  throw missing;
}

async function allThreads(session: CodexSession): Promise<CodexThread[]> {
  const { spawned = await spawnedBeside(session) } = session;
  const threads = await threadsIn(session, { id: MAIN_THREAD, kind: "main", records: 0 });
  for (const { id, path, parent } of spawned) {
    const child: CodexSession = { agent: session.agent, id, path, named: true, spawned: [] };
    const row = await summarizeCodex(child);
    const thread: SessionThread = present({
      id,
      kind: "subagent" as const,
      parent: { thread: parent === session.id.toLowerCase() ? MAIN_THREAD : parent },
      title: row?.title,
      updated_at: row?.updated_at,
      records: 0,
    });
    threads.push(...await threadsIn(child, thread));
  }
  return threads;
}

/** A thread, and what rollbacks took from it. */
async function threadsIn(session: CodexSession, thread: SessionThread): Promise<CodexThread[]> {
  if (rolloutForm(session.path) === "document") return [{ thread, session }];
  const lineage = await readLineage(session.path);
  const { ranges, lines } = await findRollbacks(lineage);
  const ids = ranges.map(({ id }, index) => id ?? `rolled-back-${index + 1}`);
  // What a fork goes on from belongs to the session that it was taken from.
  const own = ranges.flatMap((range, index) =>
    range.to.stretch === lineage.length - 1 ? [{ range, index }] : []
  );
  const taken = own.map(({ range, index }): CodexThread => {
    const outer = ranges.findIndex((other, at) => at > index && covers(other, range));
    return {
      session,
      dead: deadBefore(ranges, index),
      thread: present({
        id: ids[index] as string,
        kind: "replaced" as const,
        parent: { thread: outer < 0 ? thread.id : ids[outer] as string },
        title: range.title === "" ? undefined : excerpt(range.title),
        records: range.records,
        updated_at: range.updated_at,
      }),
    };
  });
  const dead = own.reduce((sum, { range }) => sum + range.records, 0);
  return [{ session, thread: { ...thread, records: Math.max(0, lines - dead) } }, ...taken];
}

/** True if a later rollback took the place in which an earlier one's turns stood. */
function covers(later: DeadRange, { from, to }: DeadRange): boolean {
  const begins = later.from.stretch < from.stretch ||
    (later.from.stretch === from.stretch && later.from.offset <= from.offset);
  return begins && later.to.offset >= to.offset;
}
