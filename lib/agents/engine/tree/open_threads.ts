/**
 * Reads all threads of a session, one after the other. Each file is indexed only once. A branch is
 * read from the last resume point before its first own record.
 */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { AgentReadOptions, AgentSession, OpenThreads } from "../../contract/agent.ts";
import { type BranchStart, PlacesAt } from "./branch_starts.ts";
import { type Branch, otherBranches, stepsFromRoot } from "./branches.ts";
import { reportBroken, type ThreadSource } from "./live_path.ts";
import { type OpenPath, openPath, pathEvents, readPath } from "./read_tree.ts";
import { rowOf } from "./record_index.ts";
import type { Steps } from "./steps.ts";
import type { TreeFormat } from "./tree_format.ts";
import { findThreads } from "./tree_threads.ts";

type ReadOptions = Pick<AgentReadOptions, "needs" | "report" | "signal">;

export async function openThreadsOfTree(
  format: TreeFormat,
  session: AgentSession,
  options: ReadOptions,
): Promise<OpenThreads> {
  const sources = new Map<string, ThreadSource>();
  for await (const { id, source } of findThreads(format, session)) sources.set(id, source);
  let file: BranchFile | undefined;
  return {
    ids: [...sources.keys()],
    async *read(id): AsyncGenerator<readonly LogEvent[]> {
      const source = sources.get(id);
      if (source === undefined) return;
      if (source.index !== undefined) return yield* readPath(format, session, options, source);
      const { path, branch } = source;
      if (file?.path !== path) {
        file = new BranchFile(format, await openPath(format, session, options, { path }));
      }
      yield* file.read(branch);
    },
  };
}

const LIVE = -1;

class BranchFile {
  readonly #format: TreeFormat;
  readonly #open: OpenPath;
  readonly #branches: readonly Branch[];
  /** Resume points by branch number. They are found while the parent branch is read. */
  readonly #starts = new Map<number, BranchStart>();

  constructor(format: TreeFormat, open: OpenPath) {
    this.#format = format;
    this.#open = open;
    this.#branches = otherBranches(format, open.path.index, open.path.line);
  }

  get path(): string {
    return this.#open.session.path;
  }

  /** Yields the events of the branch that begins with `first_id`. Undefined: the live branch. */
  async *read(first_id: string | undefined): AsyncGenerator<readonly LogEvent[]> {
    const { path } = this.#open;
    const first = rowOf(path.index, first_id);
    const number = first_id === undefined
      ? LIVE
      : this.#branches.findIndex(({ rows }) => rows[0] === first);
    const branch = this.#branches[number];
    if (first_id !== undefined && branch === undefined) return;
    const open = { ...this.#open, path: { ...path, ...branch, steps: this.#steps(number) } };
    if (branch !== undefined) reportBroken(open.path, open.options.report);
    const is_whole = this.#format.isReadWhole?.(path.index) ?? false;
    const start = is_whole ? undefined : this.#starts.get(number);
    const leaving = this.#leaving(number, open.path.steps);
    const places = new PlacesAt([...leaving.values()], start);
    for await (const { events } of pathEvents(this.#format, open, { start, places })) yield events;
    for (const [other, at] of leaving) {
      const place = places.taken.get(at);
      if (place !== undefined) this.#starts.set(other, place);
    }
  }

  #steps(number: number): Steps {
    const branch = this.#branches[number];
    const { index, line, steps } = this.#open.path;
    if (branch === undefined) return steps;
    const own = stepsFromRoot(this.#format, index, line, this.#branches, branch);
    return this.#format.arrange?.(index, own) ?? own;
  }

  /** Returns the branches that fork from branch `number`, each with the number of shared steps. */
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
