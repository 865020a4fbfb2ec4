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
  const { first_user_message: _1, last_user_message: _2, last_error: _3, ...shown } = summary;
  return format === "html" ? await withTotals(source, shown) : shown;
}

/** A summary with models, tokens and cost, estimated where no cost was recorded. */
async function withTotals(source: SessionHandle, summary: Summary): Promise<Summary> {
  const { loadPrices } = await import("../../lib/library/usage/load_prices.ts");
  const { withUsage } = await import("../../lib/projection/usage_totals.ts");
  const { estimate } = await loadPrices();
  const { ref, agent } = source;
  return withUsage(summary, { ref, agent, rows: await source.usage({ estimate }) });
}
