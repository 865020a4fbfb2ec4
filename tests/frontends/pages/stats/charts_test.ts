import assert from "node:assert/strict";
import { timeChart } from "../../../../lib/frontends/pages/stats/charts.ts";

/** The labels of days below a chart of one day's value. */
function labels(first: string, last: string): string[] {
  const { markup } = timeChart("Cost by day", [{ day: last, value: 1 }], {
    first,
    last,
    format: String,
    linkOf: () => "./",
  });
  return [...markup.matchAll(/>([A-Z][a-z]{2} \d+)<\/text>/g)].map(([, name = ""]) => name);
}

Deno.test("a label at the end of the time axis gives way to the one before it", () => {
  // 30 November is a Monday, and its label would stand on that of the Monday before.
  assert.deepEqual(labels("2026-11-01", "2026-11-30"), ["Nov 2", "Nov 9", "Nov 16", "Nov 23"]);
  assert.deepEqual(labels("2026-10-31", "2026-11-28").at(-1), "Nov 23");
});
