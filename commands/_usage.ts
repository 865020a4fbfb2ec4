/** Describes the tokens and the cost of a session in one line. */
import { present } from "../lib/event/present.ts";
import type { SessionHandle } from "../lib/library/session_handle.ts";
import { UsageTotals } from "../lib/projection/usage_totals.ts";

/** What all threads of a session took. */
export interface SessionUse {
  /** Tokens and cost in one line; absent where none were recorded. */
  text?: string;
}

/** Reads what all threads of a session took. */
export async function sessionUse(session: SessionHandle): Promise<SessionUse> {
  const { loadPrices } = await import("../lib/library/usage/load_prices.ts");
  const { describeUsage } = await import("../lib/render/usage_text.ts");
  const { estimate, as_of } = await loadPrices();
  const totals = new UsageTotals("session");
  const { ref, agent } = session;
  totals.add({ ref, agent, rows: await session.usage({ estimate }) });
  const { usage, cost_usd, cost_estimated, unknown_models } = totals.total();
  const text = describeUsage(usage, present({ cost_usd, cost_estimated, unknown_models }));
  if (text === "") return {};
  return { text: cost_estimated ? `${text} (list prices of ${as_of})` : text };
}
