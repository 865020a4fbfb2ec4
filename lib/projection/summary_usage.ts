/** Adds to a summary what its session took. Pure. */
import type { Summary } from "./summary_row.ts";
import { type SessionUsage, UsageTotals } from "./usage_totals.ts";

/**
 * Adds models, tokens and cost to a summary; it stays as it is where none were recorded.
 *
 * @param summary The session as a list shows it. @param session What it took, by day and model.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary, withUsage } from "@reprise/reprise/library";
 *
 * const session = await openLibrary({ variable: () => undefined }).open("testdata/logs/plain.jsonl");
 * const { ref, agent } = session;
 * const summary = withUsage(await session.summary(), { ref, agent, rows: await session.usage() });
 * assert.equal(summary.ref, (await session.summary()).ref);
 * ```
 */
export function withUsage(summary: Summary, session: SessionUsage): Summary {
  if (session.rows.length === 0) return summary;
  const totals = new UsageTotals("model");
  totals.add(session);
  const { usage, cost_usd, cost_estimated, unknown_models } = totals.total();
  const models = [...new Set(session.rows.map(({ model }) => model).filter((name) => name !== ""))];
  return {
    ...summary,
    usage,
    ...(cost_usd === undefined ? {} : { cost_usd }),
    ...(cost_estimated === undefined ? {} : { cost_estimated }),
    ...(unknown_models === undefined ? {} : { unknown_models }),
    ...(models.length === 0 ? {} : { models }),
  };
}
