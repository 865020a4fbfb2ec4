/**
 * Lists the threads of a branched log. The main thread leads to the last event. Any other thread
 * ends directly before a branch event. Pure.
 */
import { SessionError } from "../event/session_error.ts";
import type { BranchPoint } from "../projection/branch_path.ts";
import { assertMainThread, MAIN_THREAD } from "../projection/session_thread.ts";

export interface LogThread {
  /** {@linkcode MAIN_THREAD}, or the number of the first event that only this thread has. */
  id: string;
  /** Number of the thread's last event; `Infinity` for the main thread. */
  end: number;
  /**
   * The thread from which this one branched, and the last event that both have; absent for the main
   * thread.
   */
  parent?: { thread: string; seq: number };
  /** Inclusive ranges of event numbers that only this thread has, the last range first. */
  own: readonly (readonly [from: number, to: number])[];
}

/** Returns a log's threads: the main one, then the others from the latest to the earliest end. */
export function threadsIn(branches: readonly BranchPoint[]): LogThread[] {
  const tree = new Tree(branches);
  const threads = [tree.thread(Infinity)];
  for (const { seq } of branches.toReversed()) {
    // A branch directly after a branch abandons no event.
    if (tree.isBranch(seq - 1)) continue;
    const thread = tree.thread(seq - 1);
    if (thread.own.length > 0) threads.push(thread);
  }
  return threads;
}

export function threadAt(threads: readonly LogThread[], seq: number): LogThread | undefined {
  return threads.find(({ own }) => own.some(([from, to]) => from <= seq && seq <= to));
}

/**
 * Returns the thread that a name means: its id, or the number of an event on it.
 *
 * @throws {SessionError} `not-found`
 */
export function namedThread(
  threads: readonly LogThread[],
  name: string,
  path: string,
): LogThread {
  const found = threads.find(({ id }) => id === name) ??
    (/^\d+$/.test(name) ? threadAt(threads, Number(name)) : undefined);
  if (found !== undefined) return found;
  if (threads.length === 1) assertMainThread(name, path);
  const message =
    `Cannot find branch or subagent "${name}": the session has none with this name; ` +
    "see: reprise show REF --threads";
  throw new SessionError("not-found", message, { ref: name, path });
}

/** Divides events among threads. Events that two threads share belong to the thread built first. */
class Tree {
  readonly #branches: readonly BranchPoint[];
  /**
   * Parts of each run of events between branch events, by the number of the run's first event. A
   * part belongs to `thread`, and ends with the event number `to`.
   */
  readonly #taken = new Map<number, { to: number; thread: string }[]>();

  constructor(branches: readonly BranchPoint[]) {
    this.#branches = branches;
  }

  isBranch(seq: number): boolean {
    return this.#branches.some((branch) => branch.seq === seq);
  }

  /** Builds the thread that ends at an event. Events that no thread has yet become its own. */
  thread(end: number): LogThread {
    const own: [number, number][] = [];
    const runs: { to: number; thread: string }[][] = [];
    let seq: number | undefined = end;
    let parent: LogThread["parent"];
    while (seq !== undefined) {
      const at: number = seq;
      const branch: BranchPoint | undefined = this.#branches.findLast((one) => one.seq <= at);
      const start = branch?.seq ?? 1;
      const run = this.#taken.get(start) ?? [];
      this.#taken.set(start, run);
      const last = run.at(-1)?.to ?? start - 1;
      const first = last + 1;
      if (first <= at) {
        own.push([first, at]);
        runs.push(run);
      }
      if (last >= start) {
        const junction = Math.min(last, at);
        const { thread = MAIN_THREAD } = run.find(({ to }) => to >= junction) ?? {};
        parent = { thread, seq: junction };
        break;
      }
      seq = branch?.from_seq;
    }
    const id = end === Infinity ? MAIN_THREAD : String(own.at(-1)?.[0] ?? end);
    for (const [index, run] of runs.entries()) {
      run.push({ to: own[index]?.[1] ?? 0, thread: id });
    }
    return parent === undefined ? { id, end, own } : { id, end, parent, own };
  }
}
