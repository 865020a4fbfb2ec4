/** Reads the usage of a model call as pi counts it. */
import type { TokenUsage } from "../../event/payload.ts";
import { asNumber, asObject, present } from "../../reading/json_value.ts";

/** Tokens and cost; empty where pi says nothing. */
export function usageOf(value: unknown): { usage?: TokenUsage; cost_usd?: number } {
  const { input, output, cacheRead, cacheWrite, reasoning, cost } = asObject(value);
  const usage = present({
    input: asNumber(input),
    output: asNumber(output),
    cache_read: asNumber(cacheRead),
    cache_write: asNumber(cacheWrite),
    reasoning: asNumber(reasoning),
  });
  return {
    ...(Object.keys(usage).length === 0 ? {} : { usage }),
    ...present({ cost_usd: asNumber(asObject(cost).total) }),
  };
}
