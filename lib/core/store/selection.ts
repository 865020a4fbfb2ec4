/** The rule for a list's sessions and their order. Our own list and the library share it. */
import { knownMoment, newerFirst } from "./update_order.ts";

export interface Selection {
  /** True for archived sessions only, false for unarchived, `any` for both. @default {false} */
  archived?: boolean | "any" | undefined;
  /**
   * True to include subagents' sessions. These may be archived, unless `archived` is given.
   *
   * @default {true if `archived` is true or "any"}
   */
  subagents?: boolean | undefined;
  /** Includes only sessions that were updated at this time or later. */
  since?: Date | undefined;
  /** Includes only sessions that were updated at this time or earlier. */
  until?: Date | undefined;
  /** True to include sessions without a time, whatever `since` and `until` are. @default {false} */
  undated?: boolean | undefined;
}

export interface Selectable {
  /** Time of the last update, in milliseconds since 1970; NaN if unknown. */
  readonly updated: number;
  readonly archived: boolean;
  readonly subagent?: boolean;
}

export function isSelected(session: Selectable, selection: Selection): boolean {
  const { since, until, undated = false } = selection;
  if (session.subagent && !wantsSubagents(selection)) return false;
  const { archived = session.subagent ? "any" : false } = selection;
  if (archived !== "any" && session.archived !== archived) return false;
  if (Number.isNaN(session.updated)) return undated || (since ?? until) === undefined;
  return !(since !== undefined && session.updated < since.getTime()) &&
    !(until !== undefined && session.updated > until.getTime());
}

function wantsSubagents({ archived = false, subagents = archived !== false }: Selection): boolean {
  return subagents;
}

/** True if a session is left out only because it has no time. */
export function isUndated(session: Selectable, selection: Selection): boolean {
  return !isSelected(session, selection) && isSelected(session, { ...selection, undated: true });
}

/**
 * Sorts sessions, the newest update first, then by their references. A session without a time is
 * last.
 *
 * @param refOf Returns a session's reference. Called only if the times of two sessions are equal.
 * @param limit Maximum number of sessions. @default {all}
 */
export function newestFirst<Session extends Pick<Selectable, "updated">>(
  sessions: readonly Session[],
  refOf: (session: Session) => string,
  limit = Infinity,
): Session[] {
  const moments = Float64Array.from(sessions, ({ updated }) => knownMoment(updated));
  const refs = new Map<number, string>();
  const refAt = (index: number): string => {
    let ref = refs.get(index);
    if (ref === undefined) refs.set(index, ref = refOf(sessions[index] as Session));
    return ref;
  };
  const order = newest(moments, limit).sort((one, other) =>
    newerFirst(moments[one] as number, moments[other] as number) ||
    (refAt(one) < refAt(other) ? -1 : 1)
  );
  return Array.from(order.subarray(0, limit), (index) => sessions[index] as Session);
}

/** Returns the indexes of the `limit` greatest times, so that only these are sorted. */
function newest(moments: Float64Array, limit: number): Uint32Array {
  const all = Uint32Array.from(moments.keys());
  if (limit >= moments.length) return all;
  const least = moments.slice().sort()[moments.length - limit] ?? Infinity;
  return all.filter((index) => (moments[index] as number) >= least);
}
