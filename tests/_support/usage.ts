/** Usage of a session's events, by model and day. */
import type { Projection } from "../../lib/core/projection/projection.ts";
import {
  type ResponseUsage,
  responseUsage,
  type UsageOptions,
  type UsageState,
} from "../../lib/core/projection/response_usage.ts";
import { countedTokens } from "../../lib/core/projection/token_usage.ts";
import { type UsageRow, UsageRows } from "../../lib/core/projection/usage_rows.ts";

/** The projection to the rows of a session's responses. */
export function usage(options: UsageOptions = {}): Projection<UsageState, UsageRow[]> {
  const { result, ...projection } = responseUsage(options);
  return { ...projection, result: (state) => usageRows(result(state)) };
}

/** Adds up the responses of one session, those of one key once. */
export function usageRows(responses: readonly ResponseUsage[]): UsageRow[] {
  const best = new Map<string, ResponseUsage>();
  for (const response of responses) {
    if (response.key === undefined) continue;
    const known = best.get(response.key);
    if (known === undefined || countedTokens(response.usage) > countedTokens(known.usage)) {
      best.set(response.key, response);
    }
  }
  const rows = new UsageRows();
  for (const response of responses) {
    if (response.key !== undefined && best.get(response.key) !== response) continue;
    const { time, model, usage, cost_usd } = response;
    rows.add(time?.slice(0, 10) ?? "", model, usage, cost_usd);
  }
  return rows.list();
}
