/**
 * Resume points: positions from which a path can be read without its earlier records. Reading a
 * branch begins at the last resume point before its first own record. So few records are read
 * twice.
 */
import type { EventKind } from "../../../core/event/payload.ts";
import type { AgentSession } from "../../contract/agent.ts";
import type { ReadPlace } from "../../contract/session_reading.ts";
import { EventWriter } from "../events/event_writer.ts";
import type { RecordIndex } from "./record_index.ts";
import { rowOfStep, type Steps } from "./steps.ts";

/** A resume point after a step of a path, with no answer unfinished. It is stored as JSON. */
export interface TreePlace extends ReadPlace {
  /** Number of steps before this position in the path. `way` is their checksum by `wayTo`. */
  readonly at: number;
  readonly way: number;
  /** Number of events written before the path's first record. It can differ between branches. */
  readonly head: number;
  readonly state: unknown;
}

/** The resume point from which a branch is read. `writer` wrote the events before it. */
export interface BranchStart extends TreePlace {
  writer: EventWriter;
}

/** Returns a checksum of the first `at` steps: the sum of their offsets in the file. */
export function wayTo({ offset }: RecordIndex, steps: Steps, at: number): number {
  let way = 0;
  for (let step = 0; step < at; step++) way += offset[rowOfStep(steps[step] as number)] as number;
  return way;
}

/** Interval between saved resume points, in steps. A fork itself may have no valid resume point. */
const NEAR_STEPS = 64;

/** Collects resume points: for each fork of a path, the last one at or before the fork. */
export class PlacesAt<Place extends ReadPlace & { at: number }> {
  /** The resume points, by the number of steps before the fork. */
  readonly taken = new Map<number, Place>();
  readonly #wanted: readonly number[];
  #next = 0;

  /** @param wanted Number of steps before each fork. */
  constructor(wanted: readonly number[], start: Place | undefined) {
    this.#wanted = wanted.toSorted((one, other) => one - other);
    for (const at of wanted) if (start !== undefined && start.at <= at) this.taken.set(at, start);
  }

  /** Saves the resume point after `at` steps, if `at` is a fork or a multiple of `NEAR_STEPS`. */
  pass(at: number, place: () => Place | undefined): void {
    while ((this.#wanted[this.#next] ?? at) < at) this.#next++;
    const wanted = this.#wanted[this.#next];
    if (wanted === undefined || (at !== wanted && at % NEAR_STEPS !== 0)) return;
    const taken = place();
    if (taken !== undefined) this.taken.set(wanted, taken);
  }
}

/** Returns the writer of a branch's own events. `head` counts events before the first record. */
export function writerAt(
  session: AgentSession,
  needs: ReadonlySet<EventKind> | undefined,
  { writer, seq, head: before }: BranchStart,
  head: number,
): EventWriter {
  return new EventWriter(session, needs, {
    behind: seq - before + head,
    before: { writer, until: seq },
  });
}
