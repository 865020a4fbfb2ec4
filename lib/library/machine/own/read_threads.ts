/** Lists and reads the threads of a log: its main path and the branches that the session left. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { EventKind } from "../../../core/event/payload.ts";
import { SUMMARY_KINDS } from "../../../core/event/policy.ts";
import { present } from "../../../core/event/present.ts";
import { readEvents } from "../../../core/log/read_events.ts";
import { BranchPath } from "../../../core/projection/branch_path.ts";
import { describedThread } from "../../../agents/engine/threads.ts";
import type {
  AgentReadOptions,
  AgentSession,
  OpenThreads,
} from "../../../agents/contract/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../../core/projection/session_thread.ts";
import {
  BRANCH_KINDS,
  branchesAmong,
  findBranches,
  findRare,
  type LogBranches,
  onPath,
} from "../../../core/store/log_branches.ts";
import {
  type LogThread,
  namedThread,
  threadAt,
  threadsIn,
} from "../../../core/store/log_threads.ts";

/**
 * Returns the number of the thread's last event; Infinity for the main thread.
 *
 * @throws {SessionError} `not-found` if no thread has the name
 */
export async function endOfThread(path: string, name: string): Promise<number> {
  if (name === MAIN_THREAD) return Infinity;
  return namedThread(threadsIn((await findBranches(path)).branches), name, path).end;
}

/** Returns the number of the last event in the event's thread; undefined if no thread has `seq`. */
export async function endOfEvent(path: string, seq: number): Promise<number | undefined> {
  return threadAt(threadsIn((await findBranches(path)).branches), seq)?.end;
}

const THREAD_KINDS: ReadonlySet<EventKind> = new Set([...BRANCH_KINDS, "event_labeled"]);

/** Lists the threads of a log, the main one first. */
export async function listThreads({ path }: AgentSession): Promise<SessionThread[]> {
  const { events, to } = await findRare(path, THREAD_KINDS);
  const log = { branches: branchesAmong(events), to };
  const labels = labelsIn(events);
  const described: SessionThread[] = [];
  const threads = threadsIn(log.branches);
  for (const thread of threads) {
    const { id, parent, own } = thread;
    const named = [...labels].filter(([seq]) => threadAt([thread], seq) !== undefined);
    const own_labels = named.length === 0 ? undefined : Object.fromEntries(named);
    if (id === MAIN_THREAD) {
      described.push(present({ id, kind: "main", records: 0, labels: own_labels }));
      continue;
    }
    const records = own.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    const known = present({ id, kind: "branch", parent, records, labels: own_labels } as const);
    described.push(await describedThread(known, readOwn(path, log, thread, SUMMARY_KINDS)));
  }
  return described;
}

/** Returns the labels that were not removed, by the number of the labelled event. */
function labelsIn(events: readonly LogEvent[]): Map<number, string> {
  const labels = new Map<number, string>();
  for (const event of events) {
    if (event.form !== "known" || event.kind !== "event_labeled") continue;
    const { target_seq, label = "" } = event.payload;
    if (label === "") labels.delete(target_seq);
    else labels.set(target_seq, label);
  }
  return labels;
}

/** Opens the threads of a log. A read of a branch yields only the branch's own events. */
export async function openLogThreads(
  { path }: AgentSession,
  { needs, report, signal }: AgentReadOptions,
): Promise<OpenThreads> {
  const log = await findBranches(path);
  const threads = threadsIn(log.branches);
  const { to } = log;
  const options = present({ kinds: needs, report, signal, to });
  return {
    ids: threads.map(({ id }) => id),
    read: (id) =>
      id === MAIN_THREAD
        ? onPath(new BranchPath(log.branches), readEvents(path, options))
        : readOwn(path, log, namedThread(threads, id, path), needs, signal),
  };
}

/** Reads the events of one thread alone, from the part of the log that contains them. */
async function* readOwn(
  path: string,
  { branches, to }: LogBranches,
  thread: LogThread,
  kinds: ReadonlySet<EventKind> | undefined,
  signal?: AbortSignal,
): AsyncGenerator<readonly LogEvent[]> {
  const first = thread.own.at(-1)?.[0] ?? 0;
  const from = branches.findLast(({ seq }) => seq <= first)?.offset ?? 0;
  const end = branches.find(({ seq }) => seq > thread.end)?.offset ?? to;
  for await (const events of readEvents(path, present({ kinds, from, to: end, signal }))) {
    const own = events.filter(({ seq }) => threadAt([thread], seq) !== undefined);
    if (own.length > 0) yield own;
  }
}
