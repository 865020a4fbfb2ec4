/**
 * Places on paths behind which they can be read without what is before it. A branch that leaves another
 * begins at the last place before it does, so that no record is read twice.
 */
import type { AgentSession } from "../../source/agent.ts";
import type { ReadPlace } from "../../source/session_reading.ts";
import type { EventKind } from "../../event/payload.ts";
import { EventWriter } from "../events/event_writer.ts";

/** A place behind a step of a path, where no answer is under way. It is JSON, and can be kept. */
export interface TreePlace<Saved> extends ReadPlace {
  /** Number of steps before it, and where the last of them lies: another path has no such place. */
  readonly at: number;
  readonly offset: number;
  readonly state: Saved;
}

/** A place, and what wrote the events before it. */
export interface BranchStart<Saved> extends TreePlace<Saved> {
  writer: EventWriter;
  /** Number of events before the first record: the head of each branch may have others. */
  head: number;
}

/** The last places up to some numbers of steps. */
export class PlacesAt<Place extends ReadPlace & { at: number }> {
  /** The places, by the number of steps that they were asked for. */
  readonly taken = new Map<number, Place>();
  readonly #wanted: readonly number[];
  #next = 0;

  /** @param wanted Numbers of steps. @param start The place at which reading begins. */
  constructor(wanted: readonly number[], start: Place | undefined) {
    this.#wanted = wanted.toSorted((one, other) => one - other);
    if (start !== undefined) this.pass(start.at, () => start);
  }

  /** Takes a place that `at` steps are before; undefined where it is none. */
  pass(at: number, place: () => Place | undefined): void {
    while ((this.#wanted[this.#next] ?? at) < at) this.#next++;
    const wanted = this.#wanted[this.#next];
    const taken = wanted === undefined ? undefined : place();
    if (wanted !== undefined && taken !== undefined) this.taken.set(wanted, taken);
  }
}

/** Makes the writer of a branch behind its start; `head` is the number of events before its first record. */
export function writerAt(
  session: AgentSession,
  needs: ReadonlySet<EventKind> | undefined,
  { writer, seq, head: before }: BranchStart<unknown>,
  head: number,
): EventWriter {
  return new EventWriter(session, needs, {
    behind: seq - before + head,
    before: { writer, until: seq },
  });
}
