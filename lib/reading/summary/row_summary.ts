/** Folds the events of an agent's session to a list's row, with how its last turn ended. */
import type { LogEvent } from "../../event/envelope.ts";
import type { EventKind } from "../../event/payload.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { Projection } from "../../projection/projection.ts";
import { type LogSummary, summary, type SummaryState } from "../../projection/summary.ts";
import { isSeen, isUnseen } from "../../projection/unseen_message.ts";

/** A summary of a session, and whether its last turn was left open. */
export type RowSummary = LogSummary & {
  /** True if the records end with an unanswered prompt, an open call or an unfinished answer. */
  open: boolean;
};

/** Kinds that a list's row is made of. */
export const ROW_KINDS: ReadonlySet<EventKind> = new Set([
  ...SUMMARY_KINDS,
  "tool_end",
  "turn_failed",
]);

interface RowState {
  state: SummaryState;
  open: boolean;
}

/** Returns the projection to the summary of an agent's session. */
export function rowSummary(): Projection<RowState, RowSummary> {
  const { initial, apply, result } = summary();
  return {
    needs: ROW_KINDS,
    initial: () => ({ state: initial(), open: false }),
    apply({ state, open }, event): RowState {
      return { state: apply(state, event), open: leavesOpen(event) ?? open };
    },
    result: ({ state, open }) => ({ ...result(state), open }),
  };
}

/** True if the turn goes on after an event; undefined where the event does not tell. */
function leavesOpen(event: LogEvent): boolean | undefined {
  if (event.form !== "known") return undefined;
  switch (event.kind) {
    case "user_message":
      return isUnseen(event.payload) ? undefined : true;
    case "assistant_message": {
      const { content } = event.payload;
      const calls = typeof content !== "string" && content.some(({ type }) => type === "tool_call");
      // A thought alone is the beginning of an answer; without content it only says what it took.
      return calls || (isSeen(content) ? false : undefined);
    }
    case "assistant_interrupted":
    case "tool_end":
      return true;
    case "turn_failed":
      return event.payload.reason === "cancelled";
    case "session_closed":
      return false;
    default:
      return undefined;
  }
}
