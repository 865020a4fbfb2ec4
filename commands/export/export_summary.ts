/** Tells what a document says of its session before it begins. */
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { Summary } from "../../lib/projection/summary_row.ts";
import type { ExportFormat } from "../../lib/export/export_document.ts";

/** What a form says of the session: those for people repeat no message in their head. */
export async function exportSummary(
  source: SessionHandle,
  format: ExportFormat,
): Promise<Summary> {
  const summary = await source.summary();
  if (format === "json") return summary;
  const { first_user_message: _first, last_user_message: _last, ...shown } = summary;
  return format === "html" ? await withUsage(source, shown) : shown;
}

/** A summary with models, tokens and cost, estimated where no cost was recorded. */
async function withUsage(source: SessionHandle, summary: Summary): Promise<Summary> {
  const { loadPrices } = await import("../../lib/library/usage/load_prices.ts");
  const { UsageTotals } = await import("../../lib/projection/usage_totals.ts");
  const { estimate } = await loadPrices();
  const rows = await source.usage({ estimate });
  if (rows.length === 0) return summary;
  const totals = new UsageTotals("model");
  totals.add({ ref: source.ref, agent: source.agent, rows });
  const { usage, cost_usd, cost_estimated, unknown_models } = totals.total();
  const models = [...new Set(rows.map(({ model }) => model).filter((model) => model !== ""))];
  return {
    ...summary,
    usage,
    ...(cost_usd === undefined ? {} : { cost_usd }),
    ...(cost_estimated === undefined ? {} : { cost_estimated }),
    ...(unknown_models === undefined ? {} : { unknown_models }),
    ...(models.length === 0 ? {} : { models }),
  };
}
