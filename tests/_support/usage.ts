/** Usage of a session's events, by model and day. */
import type { Projection } from "../../lib/projection/projection.ts";
import {
  responseUsage,
  type UsageOptions,
  type UsageState,
} from "../../lib/projection/response_usage.ts";
import { type UsageRow, usageRows } from "../../lib/projection/usage_rows.ts";

/** The projection to the rows of a session's responses. */
export function usage(options: UsageOptions = {}): Projection<UsageState, UsageRow[]> {
  const { result, ...projection } = responseUsage(options);
  return { ...projection, result: (state) => usageRows(result(state)) };
}
