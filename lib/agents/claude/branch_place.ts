/** A place on a branch behind which it can be read without what is before it. */
import type { ReadPlace } from "../../source/session_reading.ts";
import type { EventWriter } from "../event_writer.ts";
import type { Emission, StartedCall } from "./emission.ts";

/** A place behind a step of a branch, where no answer is under way. */
export interface BranchPlace extends ReadPlace {
  /** Number of steps before it. */
  at: number;
  /** True if the session is a fork. */
  forked: boolean;
  turn_id: string | undefined;
  /** Calls whose result is still to come. */
  calls: readonly (readonly [string, StartedCall])[];
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
  const open = [...calls];
  return { seq, at, forked, turn_id, calls: open, settled: settled.size, all_settled: settled };
}

/** Gives an emission the state that it had at a place. */
export function emissionAt(emission: Emission, place: BranchPlace | undefined): Emission {
  if (place === undefined) return emission;
  emission.turn_id = place.turn_id;
  for (const [id, call] of place.calls) emission.calls.set(id, call);
  let left = place.settled;
  for (const id of place.all_settled) {
    if (left-- === 0) break;
    emission.settled.add(id);
  }
  return emission;
}
