import assert from "node:assert/strict";
import type { PlanWindow } from "../../../lib/core/projection/plan_window.ts";
import { clockText, percentText, planLines, planText } from "../../../lib/text/render/plan_text.ts";

/** A time of day on a Saturday, where the reader is. */
function at(hours: number, minutes = 0, day = 21): string {
  return new Date(2026, 10, day, hours, minutes).toISOString();
}

const NOW = Date.parse(at(12));

function window(facts: Partial<PlanWindow>): PlanWindow {
  return { agent: "codex", minutes: 300, used_percent: 62, recorded_at: at(12), ...facts };
}

const WEEK = window({ minutes: 10_080, used_percent: 38, resets_at: at(9, 0, 26) });

Deno.test("a plan is its windows, the end of the shortest, and the pace", () => {
  const short = window({ resets_at: at(14, 10), empty_at: at(13, 20) });
  assert.equal(
    planText([short, WEEK], NOW),
    "5 h 62 %, week 38 %, resets 14:10; at this pace, the limit is used up at 13:20",
  );
  assert.equal(planText([WEEK], NOW), "week 38 %, resets Thu 09:00");
  const weekly = { ...WEEK, empty_at: at(8, 0, 24) };
  assert.equal(
    planText([window({ resets_at: at(14, 10) }), weekly], NOW),
    "5 h 62 %, week 38 %, resets 14:10; at this pace, the week limit is used up at Tue 08:00",
  );
  assert.equal(
    planText([window({ resets_at: at(14) }), { ...WEEK, used_percent: 100 }], NOW),
    "5 h 62 %, week 100 %, week resets Thu 09:00",
  );
  assert.equal(planText([window({ recorded_at: at(10) })], NOW), "5 h 62 % (as of 10:00)");
  assert.equal(planText([], NOW), "");
});

Deno.test("each limit of an agent has a line, and names are made harmless", () => {
  const windows = [window({}), window({ limit: "x\u001b[2J", minutes: 43_200 })];
  const lines = planLines(windows, NOW, { titleOf: () => "OpenAI Codex" });
  assert.deepEqual(lines.map(({ line }) => line), [
    "OpenAI Codex plan: 5 h 62 %",
    "OpenAI Codex plan (x␛[2J): month 62 %",
  ]);
});

Deno.test("little use is not none, and far times are dates", () => {
  assert.deepEqual([0, 0.2, 1, 99.6, 104].map(percentText), [
    ...["0 %", "<1 %", "1 %", "100 %", "104 %"],
  ]);
  assert.equal(clockText(at(9, 0, 30), NOW), "2026-11-30");
});
