/**
 * Usage: tokens and cost, by model and day.
 *
 * @module
 */
import type { Projection } from "./projection.ts";
import { responseUsage, type UsageOptions, type UsageState } from "./response_usage.ts";
import { type UsageRow, usageRows } from "./usage_rows.ts";

export type { UsageRow } from "./usage_rows.ts";

/**
 * Returns the projection to the usage of a session. What a fork copied from its parent is not
 * counted again. Days are those of UTC.
 *
 * @param options What else is counted, where several sessions are.
 * @returns A projection to fold.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeEvent, foldEvents, usage } from "@reprise/reprise";
 *
 * const event = decodeEvent({
 *   seq: 1, kind: "assistant_message", time: "2026-11-21T20:21:53.123Z",
 *   payload: { content: "hi", model: "m1", usage: { input: 10, output: 2 } },
 * });
 * const [row] = foldEvents(usage(), event === undefined ? [] : [event]);
 * assert.deepEqual([row?.day, row?.model, row?.usage], ["2026-11-21", "m1", { input: 10, output: 2 }]);
 * ```
 */
export function usage(options: UsageOptions = {}): Projection<UsageState, UsageRow[]> {
  const { result, ...projection } = responseUsage(options);
  return { ...projection, result: (state) => usageRows(result(state)) };
}
