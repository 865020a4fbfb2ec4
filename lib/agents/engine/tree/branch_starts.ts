/**
 * Places on paths behind which they can be read without what is before it. A branch that leaves another
 * begins at the last place before it does, so that no record is read twice.
 */
import type { EventKind } from "../../../core/event/payload.ts";
import type { AgentSession } from "../../contract/agent.ts";
import type { ReadPlace } from "../../contract/session_reading.ts";
import { EventWriter } from "../events/event_writer.ts";
import type { RecordIndex } from "./record_index.ts";
import { rowOfStep, type Steps } from "./steps.ts";

/** A place after a path's step at which no answer is unfinished. It is JSON, to be stored. */
export interface TreePlace extends ReadPlace {
  /** Number of steps before the place. `way` identifies these steps; see {@linkcode wayTo}. */
  readonly at: number;
  readonly way: number;
  /** Number of events before the path's first record. Branches may differ in it. */
  readonly head: number;
  readonly state: unknown;
}

/** A place at which a branch can begin, with the writer of the events before. */
export interface BranchStart extends TreePlace {
  writer: EventWriter;
}

/** Returns the sum of the offsets of the first `at` steps. It identifies these steps. */
export function wayTo({ offset }: RecordIndex, steps: Steps, at: number): number {
  let way = 0;
  for (let step = 0; step < at; step++) way += offset[rowOfStep(steps[step] as number)] as number;
  return way;
}

/** Places are taken at multiples of this number of steps, before a wanted number. */
const NEAR_STEPS = 64;

/** Collects, for each wanted number of steps, the last place up to it. */
export class PlacesAt<Place extends ReadPlace & { at: number }> {
  /** The places, by the wanted number of steps. */
  readonly taken = new Map<number, Place>();
  readonly #wanted: readonly number[];
  #next = 0;

  /** @param wanted Numbers of steps. @param start The place at which reading begins. */
  constructor(wanted: readonly number[], start: Place | undefined) {
    this.#wanted = wanted.toSorted((one, other) => one - other);
    for (const at of wanted) if (start !== undefined && start.at <= at) this.taken.set(at, start);
  }

  /** Takes the place after `at` steps, if a wanted number of steps is at or near it. */
  pass(at: number, place: () => Place | undefined): void {
    while ((this.#wanted[this.#next] ?? at) < at) this.#next++;
    const wanted = this.#wanted[this.#next];
    if (wanted === undefined || (at !== wanted && at % NEAR_STEPS !== 0)) return;
    const taken = place();
    if (taken !== undefined) this.taken.set(wanted, taken);
  }
}

/** Returns a branch's writer from its start. `head` counts the events before its own records. */
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
