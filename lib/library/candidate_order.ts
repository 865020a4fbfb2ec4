/** The order of lists: the newest update first. */
import { knownMoment, newerFirst } from "../session/update_order.ts";
import { sessionRef } from "../source/session_name.ts";
import { type Candidate, listedOf } from "./listing.ts";

/**
 * Sorts candidates, the newest update first. Of one time, in the order of their references; one
 * without a time is last.
 *
 * @param limit How many are wanted, at most. @default {all}
 */
export function newestFirst(candidates: readonly Candidate[], limit = Infinity): Candidate[] {
  const moments = Float64Array.from(candidates, ({ updated }) => knownMoment(updated));
  const refs = new Map<number, string>();
  const refOf = (index: number): string => {
    let ref = refs.get(index);
    if (ref === undefined) refs.set(index, ref = refOfCandidate(candidates[index] as Candidate));
    return ref;
  };
  const order = newest(moments, limit).sort((one, other) =>
    newerFirst(moments[one] as number, moments[other] as number) ||
    (refOf(one) < refOf(other) ? -1 : 1)
  );
  const count = Math.min(limit, order.length);
  return Array.from(
    { length: count },
    (_, place) => candidates[order[place] as number] as Candidate,
  );
}

/** The indexes of those that may be among the first so many: few of 100,000 need to be compared. */
function newest(moments: Float64Array, limit: number): Uint32Array {
  const all = Uint32Array.from(moments.keys());
  if (limit >= moments.length) return all;
  const least = moments.slice().sort()[moments.length - limit] ?? Infinity;
  return all.filter((index) => (moments[index] as number) >= least);
}

function refOfCandidate(candidate: Candidate): string {
  const { located } = candidate;
  return located === undefined ? listedOf(candidate)?.row.ref ?? "" : sessionRef(located.session);
}
