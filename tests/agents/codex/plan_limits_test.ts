import assert from "node:assert/strict";
import { join } from "node:path";
import { planLimits } from "../../../lib/agents/codex/plan_limits.ts";
import { newestRecords } from "../../../lib/core/projection/plan_window.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { recordingsBelow, SAMPLES, testRecorded } from "../../_support/samples.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { LIMITED, LIMITED_AT, limitedRollout } from "./_limited_rollouts.ts";

const PLACE = { folder: "", home: "", os: "linux", variable: () => undefined };

function recent(path: string): () => Promise<AgentSession[]> {
  return () => Promise.resolve([{ agent: "codex", id: "a", path }]);
}

type Percents = Record<string, number>;

/** Percent of each window of the plan itself by its hours, as Reprise reads it. */
async function percentsOf(path: string): Promise<Percents> {
  const records = await planLimits(PLACE, recent(path));
  const own = newestRecords(records).filter(({ limit }) => limit === undefined);
  return Object.fromEntries(own.map((one) => [`${one.minutes / 60}`, one.used_percent]));
}

/** The same of the last record that has each length of window, read line by line. */
function lastPercents(text: string): Percents {
  const found: Percents = {};
  for (const line of text.split("\n").filter((one) => one.includes('"rate_limits"'))) {
    const { rate_limits: limits } = JSON.parse(line).payload;
    if (limits === null || limits.limit_id === "codex_other") continue;
    for (const slot of ["primary", "secondary"]) {
      const minutes = limits[slot]?.window_minutes ?? limits[`${slot}_window_minutes`];
      const percent = limits[slot]?.used_percent ?? limits[`${slot}_used_percent`];
      if (typeof minutes !== "number" || typeof percent !== "number") continue;
      found[`${Math.ceil(minutes / 60)}`] = percent;
    }
  }
  return found;
}

inDirectory.test("the percent of twelve rollouts in all forms is that of their last record", async (folder) => {
  assert.equal(Object.keys(LIMITED).length, 12);
  for (const [name, limits] of Object.entries(LIMITED)) {
    const path = join(folder, "rollout-a.jsonl");
    const text = limitedRollout("a", "/w", limits);
    Deno.writeTextFileSync(path, text);
    const found = await percentsOf(path);
    assert.deepEqual(found, lastPercents(text), name);
    assert.ok(Object.keys(found).length > 0, name);
  }
});

inDirectory.test("a reset is read from seconds and from a time, and a limit of a model has a name", async (folder) => {
  const path = join(folder, "rollout-a.jsonl");
  const resetsOf = async (name: string): Promise<unknown[]> => {
    Deno.writeTextFileSync(path, limitedRollout("a", "/w", LIMITED[name] ?? []));
    return newestRecords(await planLimits(PLACE, recent(path)))
      .map(({ limit, resets_at = "" }) => [limit, (Date.parse(resets_at) - LIMITED_AT) / 1000]);
  };
  assert.deepEqual(await resetsOf("seconds from the record on, 0.42"), [
    ...[[undefined, 7200], [undefined, 400_000]],
  ]);
  assert.deepEqual(await resetsOf("seconds, of which the later record counts"), [[
    undefined,
    7200,
  ]]);
  assert.deepEqual(await resetsOf("another limit behind it"), [
    ...[[undefined, 9000], ["GPT-Spark", 9000]],
  ]);
  assert.deepEqual(await resetsOf("flat, repeated"), [[undefined, NaN]]);
});

inDirectory.test("limits before a long output are found", async (folder) => {
  const path = join(folder, "rollout-a.jsonl");
  const output = { type: "response_item", payload: { type: "message", text: "x".repeat(300_000) } };
  const lines = Array.from({ length: 4 }, () => `${JSON.stringify(output)}\n`).join("");
  const limits = LIMITED["an absolute reset, 0.48"] ?? [];
  Deno.writeTextFileSync(path, limitedRollout("a", "/w", limits) + lines + '{"torn');
  assert.deepEqual(await percentsOf(path), { 5: 62, 168: 38 });
});

testRecorded("the percent of recorded rollouts is that of their last record", SAMPLES, async () => {
  let compared = 0;
  for (const path of recordingsBelow(join(SAMPLES, "codex"), /rollout-.*\.jsonl$/)) {
    const expected = lastPercents(Deno.readTextFileSync(path));
    assert.deepEqual(await percentsOf(path), expected, path);
    compared += Object.keys(expected).length;
  }
  assert.ok(compared >= 6, `${compared}`);
});
