/** A place on a branch behind which it can be read without what is before it. */
import type { ReadPlace } from "../../source/session_reading.ts";
import type { EventSink, EventWriter } from "../../reading/events/event_writer.ts";
import { type Emission, startEmission } from "./emission.ts";
import type { RecordIndex } from "./index/record_index.ts";
import { type CallsAtPlace, OpenCalls } from "./open_calls.ts";

/** A place behind a step of a branch, where no answer is under way. */
export interface BranchPlace extends ReadPlace {
  /** Number of steps before it. */
  at: number;
  /** True if the session is a fork. */
  forked: boolean;
  turn_id: string | undefined;
  /** Calls whose result is still to come; undefined for none. */
  calls: CallsAtPlace | undefined;
  /** The first so many of all calls have their result. */
  settled: number;
  /** All calls that have their result, in their order. */
  all_settled: ReadonlySet<string>;
}

/** Describes the place behind a step. */
export function placeBehind(
  { calls, settled, turn_id }: Emission,
  { seq }: EventWriter,
  at: number,
  forked: boolean,
): BranchPlace {
  const open = calls.place();
  return { seq, at, forked, turn_id, calls: open, settled: settled.size, all_settled: settled };
}

/** The last places up to some numbers of steps. */
export class PlacesAt {
  /** The places, by the number of steps that they were asked for. */
  readonly taken = new Map<number, BranchPlace>();
  readonly #wanted: readonly number[];
  #next = 0;

  /** @param wanted Numbers of steps. @param start The place at which reading begins. */
  constructor(wanted: readonly number[], start: BranchPlace | undefined) {
    this.#wanted = wanted.toSorted((one, other) => one - other);
    if (start !== undefined) this.pass(start.at, () => start);
  }

  /** Takes a place that `at` steps are before. */
  pass(at: number, place: () => BranchPlace): void {
    while ((this.#wanted[this.#next] ?? at) < at) this.#next++;
    const wanted = this.#wanted[this.#next];
    if (wanted !== undefined) this.taken.set(wanted, place());
  }
}

/** Starts to make events of the records behind a place. */
export function startEmissionAt(
  writer: EventSink,
  index: RecordIndex,
  place: BranchPlace | undefined,
): Emission {
  const emission = startEmission(writer, index, new OpenCalls(place?.calls));
  if (place === undefined) return emission;
  emission.turn_id = place.turn_id;
  let left = place.settled;
  for (const id of place.all_settled) {
    if (left-- === 0) break;
    emission.settled.add(id);
  }
  return emission;
}
