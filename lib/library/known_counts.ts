/** Looks up what reading all of a session told before. */
import type { LogEvent } from "../event/envelope.ts";
import type { AgentSession } from "../source/agent.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
import { isFresh, type SummaryCounts } from "./catalogue/read_part.ts";

/** Returns the counts that the catalogue has, while the session is as it was then. */
export function knownCounts(
  kept: CatalogueOptions,
  session: AgentSession,
): SummaryCounts | undefined {
  const catalogue = new Catalogue(kept);
  try {
    const read = catalogue.lastRow(session)?.read;
    return read !== undefined && isFresh(session, read) ? read.counts : undefined;
  } finally {
    catalogue.close();
  }
}

/** Numbers the events of a session's end, by the number of its last event. */
export function numberedEnd(end: readonly LogEvent[], last_seq: number): LogEvent[] {
  const behind = last_seq - (end.at(-1)?.seq ?? last_seq);
  return end.map((event) => {
    const seq = event.seq + behind;
    if (event.form !== "known" || event.kind !== "compaction_applied") return { ...event, seq };
    const { first_kept_seq, ...payload } = event.payload;
    if (first_kept_seq === undefined) return { ...event, seq };
    return { ...event, seq, payload: { ...payload, first_kept_seq: first_kept_seq + behind } };
  });
}
