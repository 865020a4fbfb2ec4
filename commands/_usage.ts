/** Describes the tokens and the cost of a session in one line. */
import type { SessionHandle } from "../lib/library/session_handle.ts";
import { UsageTotals } from "../lib/projection/usage_totals.ts";

/** Writes tokens and cost of all threads of a session; undefined where it recorded none. */
export async function usageText(session: SessionHandle): Promise<string | undefined> {
  const { loadPrices } = await import("../lib/library/usage/load_prices.ts");
  const { describeUsage } = await import("../lib/render/cost_text.ts");
  const { estimate, as_of } = await loadPrices();
  const totals = new UsageTotals("session");
  const { ref, agent } = session;
  totals.add({ ref, agent, rows: await session.usage({ estimate }) });
  const total = totals.total();
  const text = describeUsage(total.usage, total);
  if (text === "") return undefined;
  return total.cost_estimated ? `${text} (list prices of ${as_of})` : text;
}
