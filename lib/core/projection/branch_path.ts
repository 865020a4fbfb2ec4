/** Finds the events of a branched log that lead to a given event. Pure. */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";

export interface BranchPoint {
  /** Number of the `conversation_branched` event. */
  seq: number;
  /** Number of the event from which the session continues. */
  from_seq: number;
}

export function branchPoint(event: LogEvent): BranchPoint | undefined {
  if (!isBranched(event)) return undefined;
  const { seq, payload: { from_seq } } = event;
  return from_seq < seq ? { seq, from_seq } : undefined;
}

export function isBranched(
  event: LogEvent,
): event is KnownEvent & { kind: "conversation_branched" } {
  return event.form === "known" && event.kind === "conversation_branched";
}

export class BranchPath {
  /** Number of the event that the path leads to, or `Infinity` for the log's last event. */
  readonly end: number;
  readonly branches: readonly BranchPoint[];

  /**
   * @param branches All branches of the log, in its order.
   * @param end Number of the event that the path leads to. @default {the last event}
   */
  constructor(branches: readonly BranchPoint[], end = Infinity) {
    this.end = end;
    const walk = new BackwardPath(end);
    this.branches = branches.toReversed().filter((branch) => walk.takes(branch)).toReversed();
  }

  get is_whole(): boolean {
    return this.branches.length === 0 && this.end === Infinity;
  }

  has(seq: number): boolean {
    if (seq > this.end) return false;
    return seq <= (this.branches[this.#next(seq)]?.from_seq ?? Infinity);
  }

  of<Item extends { seq: number }>(events: readonly Item[]): readonly Item[] {
    return this.is_whole ? events : events.filter(({ seq }) => this.has(seq));
  }

  /** Returns the index of the first branch after an event's number. */
  #next(seq: number): number {
    let [low, high] = [0, this.branches.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.branches[middle] as BranchPoint).seq > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** A {@linkcode BranchPath} for logs that are read backward, so later branches come first. */
export class BackwardPath {
  readonly #end: number;
  readonly #met: BranchPoint[] = [];
  #limit: number;

  /** @param end Number of the event that the path leads to. @default {the last event} */
  constructor(end = Infinity) {
    this.#end = end;
    this.#limit = end;
  }

  /** The path so far. It has the branches of events that were passed to `has` or `takes`. */
  get path(): BranchPath {
    return new BranchPath(this.#met.toReversed(), this.#end);
  }

  /** True if the event is on the path. Call it for each event, from the last to the first. */
  has(event: LogEvent): boolean {
    if (event.seq > this.#limit) return false;
    const branch = branchPoint(event);
    if (branch !== undefined) this.takes(branch);
    return true;
  }

  /** True if the branch is on the path. Call it for each branch, from the last to the first. */
  takes(branch: BranchPoint): boolean {
    if (branch.seq > this.#limit) return false;
    this.#limit = branch.from_seq;
    this.#met.push(branch);
    return true;
  }
}
