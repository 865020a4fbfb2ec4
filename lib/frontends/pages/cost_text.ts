/** Renders costs for pages, which have room for words. */
import type { CostSum } from "../../core/projection/cost_sum.ts";
import { formatCost } from "../../text/render/usage_text.ts";

/** Returns a cost: `$0.75`, `~$1,200.50`, `at least $0.75`, or `~<1¢`. Empty if nothing was used. */
export function costText(sum: CostSum): string {
  return formatCost(sum).replace("<$0.01", "<1¢").replace(/^~?(.+) \+ \?$/, "at least $1")
    .replace(/\d+(?=\.)/, (whole) => Number(whole).toLocaleString("en"));
}
