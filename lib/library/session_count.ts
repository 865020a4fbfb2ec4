/** Counts a session's messages while somebody else reads the whole of it. */
import type { LogEvent } from "../event/envelope.ts";
import type { CostSum } from "../projection/cost_sum.ts";
import { summary } from "../projection/summary.ts";
import type { AgentSession } from "../source/agent.ts";
import type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
import { filesToRead, keepCounts } from "./keep_counts.ts";

/** The counts of a session that is being read. */
export interface SessionCount {
  /** Takes events of the main thread, in their order. */
  take(events: readonly LogEvent[]): void;
  /** Keeps the counts, once all events were taken. `cost` is what all threads took. */
  keep(cost: CostSum): void;
}

/** Starts to count; look before you read. */
export async function startCounting(
  kept: CatalogueOptions,
  session: AgentSession,
): Promise<SessionCount> {
  const files = await filesToRead(session);
  const projection = summary();
  let state = projection.initial();
  return {
    take(events): void {
      for (const event of events) state = projection.apply(state, event);
    },
    keep(cost): void {
      const { message_count = 0, turn_count = 0, usage = {}, models = [] } = projection
        .result(state);
      keepCounts(kept, session, files, { message_count, turn_count, usage, models, ...cost });
    },
  };
}
