/**
 * What a session took, in one line on stderr.
 */
import type { SessionHandle } from "../lib/library/session_handle.ts";
import { UsageTotals } from "../lib/projection/usage_totals.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";

/** Says what all threads of a session took; nothing where it recorded nothing. */
export async function tellUsage(context: Context, session: SessionHandle): Promise<void> {
  const { loadPrices } = await import("../lib/library/usage/load_prices.ts");
  const { describeUsage } = await import("../lib/render/cost_text.ts");
  const { estimate, as_of } = await loadPrices();
  const totals = new UsageTotals("session");
  const { ref, agent } = session;
  totals.add({ ref, agent, rows: await session.usage({ estimate }) });
  const total = totals.total();
  const text = describeUsage(total.usage, total);
  if (text === "") return;
  const dated = total.cost_estimated ? `${text} (list prices of ${as_of})` : text;
  await say(context, `Tokens: ${dated}`);
}
