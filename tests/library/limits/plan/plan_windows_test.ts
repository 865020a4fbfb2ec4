import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type Library, openLibrary } from "../../../../lib/library/mod.ts";
import { planWindows, sharedWindows } from "../../../../lib/library/limits/plan/plan_windows.ts";
import { keepLimits, keptLimits } from "../../../../lib/library/limits/plan/kept_limits.ts";
import { planRecord } from "../../../../lib/core/projection/plan_window.ts";
import { limitedRollout } from "../../../agents/codex/_limited_rollouts.ts";
import { cliEnvironment } from "../../../_support/cli.ts";
import { type CliHome, inHome } from "../../../_support/cli_home.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-21T12:00:00Z");

function libraryOf(home: CliHome, now = NOW): Library {
  const env = cliEnvironment({ home: home.path });
  const variable = (name: string): string | undefined => env[name];
  return openLibrary({ variable, cwd: home.work, now: () => new Date(now) });
}

/** Keeps a thread of Codex or of an agent of its family that changed at a time. */
function putRollout(
  home: CliHome,
  number: number,
  at: number,
  limits: unknown[],
  root = ".codex",
): void {
  const id = `0199bbbb-0000-7000-8000-00000000000${number}`;
  const name = `rollout-2026-11-21T09-00-00-${id}.jsonl`;
  const path = join(home.path, root, "sessions", "2026", "11", "21", name);
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, limitedRollout(id, home.work, limits, at));
  Deno.utimeSync(path, new Date(at), new Date(at));
}

function limits(used_percent: number, week: number): unknown {
  return {
    primary: { used_percent, window_minutes: 300, resets_at: (NOW + 2 * HOUR) / 1000 },
    secondary: { used_percent: week, window_minutes: 10_080, resets_at: (NOW + 48 * HOUR) / 1000 },
  };
}

inHome.test("the newest limits of all sessions count, and sessions share their use by tokens", async (home) => {
  putRollout(home, 1, NOW - HOUR, [limits(40, 10), limits(50, 11)]);
  putRollout(home, 2, NOW - HOUR / 2, [limits(62, 12), null, null, null]);
  putRollout(home, 3, NOW - 4 * HOUR, [limits(3, 1)]);
  const library = libraryOf(home);
  const windows = await planWindows(library);
  const found = windows.map(({ agent, minutes, used_percent }) => [agent, minutes, used_percent]);
  assert.deepEqual(found, [["codex", 300, 62], ["codex", 10_080, 12]]);
  // The third session's tokens are from before the window.
  const [{ sessions = [] } = {}] = await sharedWindows(library);
  const shares = sessions.map(({ ref, percent, title }) => [
    ...[ref.at(-1), Math.round(10 * percent) / 10, title],
  ]);
  assert.deepEqual(shares, [["2", 41.3, "Fix it"], ["1", 20.7, "Fix it"]]);
  assert.deepEqual(await planWindows(library, { agents: ["pi"] }), []);
  assert.deepEqual(await planWindows(libraryOf(home, NOW + 48 * HOUR)), []);
});

inHome.test("an agent of Codex's family has a plan of its own", async (home) => {
  putRollout(home, 1, NOW - HOUR, [limits(40, 10)], ".trae/cli");
  const [short] = await planWindows(libraryOf(home));
  assert.deepEqual([short?.agent, short?.used_percent], ["traex", 40]);
});

inHome.test("the usage that Claude Code remembers counts until newer limits are known", async (home) => {
  Deno.mkdirSync(join(home.path, ".claude"));
  const end = new Date(NOW + HOUR).toISOString();
  const utilization = {
    ...{ five_hour: { utilization: 30, resets_at: end }, seven_day: null },
    seven_day_opus: { utilization: 81, resets_at: end },
  };
  const cachedUsageUtilization = { fetchedAtMs: NOW - HOUR, utilization };
  Deno.writeTextFileSync(
    join(home.path, ".claude.json"),
    JSON.stringify({ cachedUsageUtilization }),
  );
  const read = async (): Promise<unknown[]> =>
    (await planWindows(libraryOf(home))).map(({ limit, minutes, used_percent }) => [
      ...[limit, minutes, used_percent],
    ]);
  assert.deepEqual(await read(), [[undefined, 300, 30], ["Opus", 10_080, 81]]);
  const told = planRecord({ minutes: 300, used_percent: 35, recorded_ms: NOW });
  assert.ok(told !== undefined);
  keepLimits(home.store, "claude", [told]);
  assert.deepEqual(await read(), [[undefined, 300, 35], ["Opus", 10_080, 81]]);
  for (const text of ["", "[]", '{"cachedUsageUtilization":{"utilization":7}}', "{"]) {
    Deno.writeTextFileSync(join(home.path, ".claude.json"), text);
    assert.deepEqual(await read(), [[undefined, 300, 35]], text);
  }
});

inHome.test("limits of a status line are kept until a later end or a higher use", (home) => {
  const tell = (used_percent: number, resets_ms: number, recorded_ms = NOW): void => {
    const record = planRecord({ minutes: 300, used_percent, resets_ms, recorded_ms });
    assert.ok(record !== undefined);
    keepLimits(home.store, "claude", [record]);
  };
  const kept = (): number[] => keptLimits(home.store, "claude").map((one) => one.used_percent);
  tell(50, NOW + HOUR);
  tell(20, NOW + HOUR, NOW + 60_000);
  assert.deepEqual(kept(), [50], "an idle session tells what it heard last");
  tell(90, NOW - HOUR, NOW + 60_000);
  assert.deepEqual(kept(), [50], "and of a window that has ended");
  tell(55, NOW + HOUR + 1000);
  assert.deepEqual(kept(), [55]);
  tell(2, NOW + 5.5 * HOUR);
  assert.deepEqual(kept(), [2]);
  const path = join(home.store, "plan_limits.json");
  const { mtime } = Deno.statSync(path);
  tell(2, NOW + 5.5 * HOUR, NOW + HOUR);
  assert.deepEqual(Deno.statSync(path).mtime, mtime, "what did not change is not written");
  for (const text of ["{", "[]", '{"claude":[{"minutes":1}]}', '{"claude":7}']) {
    Deno.writeTextFileSync(path, text);
    assert.deepEqual(kept(), [], text);
  }
});
