/** Tells what became of appended lines. */
import { nextHead } from "../branch_segments.ts";
import { hasTerms } from "../sessions_to_share.ts";
import type { AppendOutcome, SegmentToAppend } from "../team_store.ts";
import type { SessionView } from "./session_view.ts";
import type { SharedSessions } from "./shared_sessions.ts";

/** Returns an append's outcome: `already` if the branch moved, but has these lines. */
export async function appendOutcome(
  sessions: SharedSessions,
  view: SessionView,
  segment: SegmentToAppend,
  status: "appended" | "moved",
): Promise<AppendOutcome> {
  const branch = view.branches[segment.n - 1];
  const { len = 0, head = "" } = branch ?? {};
  if (status === "appended" || branch === undefined || !hasTerms(view.terms, segment)) {
    return { status, len, head };
  }
  await sessions.listSegments([view]);
  const there = nextHead(segment.prev, segment.sha);
  const is = sessions.segmentsOf(branch).some((one) =>
    one.off === segment.off && one.head === there
  );
  return { status: is ? "already" : "moved", len, head };
}
