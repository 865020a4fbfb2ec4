/** Usage of sessions by their records, added up without a cache. */
import { type ReadUsage, usageIn } from "../../lib/library/counts/usage/read_usage.ts";
import {
  DayRows,
  QUARTER_SECONDS,
  type SessionRowsOptions,
  type UsageSum,
} from "../../lib/library/counts/usage/usage_sums.ts";
import { UsageTable } from "../../lib/library/counts/usage/usage_table.ts";
import type { ResponseUsage } from "../../lib/core/projection/response_usage.ts";
import type { UsageRow } from "../../lib/core/projection/usage_rows.ts";

/** Returns the rows of sessions, in whose order responses belong to them. */
export function usageRowsOf(
  sessions: readonly ReadUsage[],
  options: SessionRowsOptions,
): UsageRow[][] {
  const { step_seconds = QUARTER_SECONDS } = options;
  const rows = new DayRows(options);
  return countedSums(sessions, step_seconds).map((sums, index) =>
    rows.of(sessions[index] as ReadUsage, sums)
  );
}

/** Returns the rows of sessions by their records. */
export function usageRowsIn(
  sessions: readonly (readonly ResponseUsage[])[],
  options: SessionRowsOptions,
): UsageRow[][] {
  return usageRowsOf(sessions.map(usageIn), options);
}

function countedSums(sessions: readonly ReadUsage[], step_seconds: number): UsageSum[][] {
  using table = new UsageTable();
  const asked = sessions.map((usage, index) => ({
    session: { agent: "pi" as const, id: `${index}`, path: `/${index}` },
    usage,
  }));
  return table.sums(asked, step_seconds).map((sums = []) =>
    sums.filter(({ elsewhere }) => elsewhere === 0)
  );
}
