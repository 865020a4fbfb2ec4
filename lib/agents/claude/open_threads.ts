/**
 * Reads all threads of a session, one after the other. Each file is indexed once for it. A branch is
 * read from the last place before it leaves another branch.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession, OpenThreads } from "../../source/agent.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { type BranchPlace, PlacesAt } from "./branch_place.ts";
import { rowOf } from "./index/record_index.ts";
import { type Branch, otherBranches, stepsFromRoot } from "./path/branches.ts";
import { findLivePath, type LivePath, reportBroken, type ThreadPlace } from "./path/live_path.ts";
import { withAttachedFirst } from "./path/attached_first.ts";
import type { Steps } from "./path/steps.ts";
import { branchEvents, lastBoundary, readBranch } from "./read.ts";
import { findThreads } from "./threads.ts";

type ReadOptions = Pick<AgentReadOptions, "needs" | "report" | "signal">;

/** Opens the threads of a session; see {@linkcode Agent.openThreads}. */
export async function openThreads(
  session: AgentSession,
  options: ReadOptions,
): Promise<OpenThreads> {
  const places = new Map<string, ThreadPlace>();
  for await (const { id, place } of findThreads(session)) places.set(id, place);
  let file: BranchFile | undefined;
  return {
    ids: [...places.keys()],
    async *read(id): AsyncGenerator<readonly LogEvent[]> {
      const place = places.get(id);
      if (place === undefined) return;
      const { path } = place;
      const source = { ...session, path };
      if (place.index !== undefined) return yield* readBranch(source, options, place);
      if (file?.path !== path) {
        const live = await findLivePath(source, options, { scope: () => ({}) });
        file = new BranchFile(source, options, live);
      }
      yield* file.read(place.scope(file.live.index).branch);
    },
  };
}

/** The branches of one file. */
class BranchFile {
  readonly live: LivePath;
  readonly #session: AgentSession;
  readonly #options: ReadOptions;
  readonly #branches: readonly Branch[];
  /** Where reading a branch begins, by its number; found when the one that it leaves was read. */
  readonly #starts = new Map<number, BranchPlace>();

  constructor(session: AgentSession, options: ReadOptions, live: LivePath) {
    this.live = live;
    this.#session = session;
    this.#options = options;
    this.#branches = otherBranches(live.index, live.line);
  }

  get path(): string {
    return this.#session.path;
  }

  /** Reads the live branch, or the one that begins with a record. */
  async *read(first_id: string | undefined): AsyncGenerator<readonly LogEvent[]> {
    const { index } = this.live;
    const first = rowOf(index, first_id);
    const number = first_id === undefined
      ? LIVE
      : this.#branches.findIndex(({ rows }) => rows[0] === first);
    const branch = this.#branches[number];
    if (first_id !== undefined && branch === undefined) return;
    const live = { ...this.live, ...branch, steps: this.#steps(number) };
    reportBroken(live, this.#options.report);
    const start = this.#starts.get(number);
    const leaving = this.#leaving(number, live.steps);
    const places = new PlacesAt([...leaving.values()], start);
    const writer = new EventWriter(this.#session, this.#options.needs, {
      behind: start?.seq ?? 0,
      named: start === undefined,
    });
    const open = { session: this.#session, options: this.#options, live, last: lastBoundary(live) };
    for await (const { events } of branchEvents(open, writer, start, places)) yield events;
    for (const [other, at] of leaving) {
      const place = places.taken.get(at);
      if (place !== undefined) this.#starts.set(other, place);
    }
  }

  #steps(number: number): Steps {
    const branch = this.#branches[number];
    const { index, line, steps } = this.live;
    if (branch === undefined) return steps;
    return withAttachedFirst(index, stepsFromRoot(index, line, this.#branches, branch));
  }

  /** The branches that leave one, with the number of steps that they share with it. */
  #leaving(number: number, steps: Steps): Map<number, number> {
    const leaving = new Map<number, number>();
    for (const [other, { parent }] of this.#branches.entries()) {
      if (parent?.branch !== number) continue;
      const own = this.#steps(other);
      const end = own.findIndex((step, at) => step !== steps[at]);
      leaving.set(other, end < 0 ? own.length : end);
    }
    return leaving;
  }
}

/** Stands for the live branch, as in {@linkcode Branch}. */
const LIVE = -1;
