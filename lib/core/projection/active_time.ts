/** Counts the time that a session was worked on, without long pauses. */
import type { LogEvent } from "../event/envelope.ts";
import { ACTIVITY_KINDS, SUMMARY_KINDS } from "../event/policy.ts";
import type { EventKind } from "../event/payload.ts";
import type { Projection } from "./projection.ts";
import { type LogSummary, summary, type SummaryState } from "./summary.ts";

const LONGEST_PAUSE_MS = 300_000;

interface ActiveTime {
  ms: number;
  /** Latest time in milliseconds since 1970, or −Infinity before the first event with a time. */
  last: number;
}

/**
 * Adds the pause before an event to the active time, unless the pause is too long. Only messages
 * and calls count, because all readers give them a time.
 */
function passEvent(active: ActiveTime, { kind, time }: LogEvent): void {
  const moment = time !== undefined && ACTIVITY_KINDS.has(kind) ? Date.parse(time) : NaN;
  if (Number.isNaN(moment)) return;
  const pause = moment - active.last;
  if (pause > 0 && pause <= LONGEST_PAUSE_MS) active.ms += pause;
  // Copies of earlier events may stand behind later ones.
  active.last = Math.max(moment, active.last);
}

interface WholeState {
  summary: SummaryState;
  active: ActiveTime;
}

/**
 * Creates the projection for the summary of a whole session. The summary includes the active time,
 * which a log's ends and checkpoints alone do not show.
 */
export function wholeSummary(): Projection<WholeState, LogSummary> {
  const { initial, apply, result } = summary();
  return {
    needs: new Set([...SUMMARY_KINDS, ...ACTIVITY_KINDS as ReadonlySet<EventKind>]),
    initial: () => ({ summary: initial(), active: { ms: 0, last: -Infinity } }),
    apply(state, event): WholeState {
      passEvent(state.active, event);
      return { summary: apply(state.summary, event), active: state.active };
    },
    result: ({ summary, active }) => ({ ...result(summary), active_ms: active.ms }),
  };
}
