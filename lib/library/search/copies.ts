/** Leaves out hits in copies of sessions. Pure. */
import { REPRISE } from "../../core/event/agent_name.ts";
import { TEAM_REF } from "../../core/store/ref.ts";
import type { SearchHit } from "./search_task.ts";

/** Leaves out repeats: a handover, import or fork puts the same message in several sessions. */
export function withoutCopies(hits: readonly SearchHit[]): SearchHit[] {
  const keyOf = ({ role, time, snippet }: SearchHit): string =>
    `${role}\0${Math.floor(time / 1000)}\0${snippet}`;
  const own = hits.filter(({ ref }) => !ref.startsWith(TEAM_REF));
  // The session of another agent comes before its backup.
  const others = own.filter(({ agent }) => agent !== REPRISE);
  const firsts = new Map(
    [...own.toReversed(), ...others.toReversed()].map((hit) => [keyOf(hit), hit]),
  );
  const idOf = (id: string, { seq, role }: SearchHit): string => `${id}#${seq} ${role}`;
  const local = new Set(own.map((hit) => idOf(hit.ref, hit)));
  return hits.filter((hit) => {
    // A team's copies differ in what is redacted.
    if (hit.ref.startsWith(TEAM_REF)) return !local.has(idOf(hit.session_id, hit));
    const same = firsts.get(keyOf(hit)) ?? hit;
    // Some agents keep whole seconds. The times are NaN where there is none.
    const is_same_time = [same.time - hit.time, same.time % 1000, hit.time % 1000].includes(0);
    return same.ref === hit.ref || !is_same_time;
  });
}
