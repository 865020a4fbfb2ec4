/**
 * How long it takes to add up what 374 MB of sessions took, against ccusage on the same files: the
 * first time, and again when nothing changed.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { installCcusage } from "../_support/ccusage.ts";
import { compileProgram } from "./compile_recipe.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { median, medianRatio } from "./rounds.ts";
import { makeUsageHome } from "./usage_home.ts";

const BYTES = 374e6;
const MOST_FIRST = 1.1;
const LEAST_SECOND = 5;

/** What a program took: seconds on the clock, and of processors. */
interface Took {
  wall: number;
  cpu: number;
}

/** Runs a program whose output is looked at, timed by the shell. */
function run(home: string, command: string[]): Took {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@"';
  const { success, stdout, stderr } = new Deno.Command("bash", {
    args: ["-c", script, "bash", ...command],
    clearEnv: true,
    env: { HOME: home, REPRISE_HOME: join(home, "store"), TZ: "UTC", PATH: "/usr/bin:/bin" },
  }).outputSync();
  const said = new TextDecoder().decode(stderr);
  assert.ok(success && stdout.length > 100, said);
  const [wall = 0, user = 0, system = 0] = said.trim().split("\n").at(-1)?.split(" ").map(Number) ??
    [];
  return { wall, cpu: user + system };
}

function forget(home: string): void {
  const cache = join(home, ".cache");
  Deno.mkdirSync(cache, { recursive: true });
  Deno.removeSync(cache, { recursive: true });
}

function ratioRow(
  figure: string,
  ours: Took[],
  theirs: Took[],
  by: keyof Took,
  second: boolean,
): Row {
  const [mine, other] = [ours.map((took) => took[by]), theirs.map((took) => took[by])];
  const note = `${rounded(median(mine))} s : ${rounded(median(other))} s`;
  return second
    ? row(`ccusage : ${figure}, ${by}`, {
      value: medianRatio(other, mine),
      least: LEAST_SECOND,
      unit: " x",
      note,
    })
    : row(`${figure} : ccusage, ${by}`, {
      value: medianRatio(mine, other),
      most: MOST_FIRST,
      unit: " x",
      note,
    });
}

/** Adding up usage. */
export const usage: Figure = {
  name: "usage",
  async measure(bench: Bench): Promise<Row[]> {
    const peer = await installCcusage();
    const home = join(bench.directory, "usage");
    const bytes = BYTES * (bench.log_bytes / 400e6);
    bench.note(`${(bytes / 1e6).toFixed(0)} MB of sessions`);
    makeUsageHome(home, bytes);
    bench.note("compiling");
    const reprise = compileProgram(join(bench.directory, "usage-program"));
    const stats = [reprise, "stats", "--agent", "claude", "--json"];
    const took = { first: [] as Took[], second: [] as Took[], peer: [] as Took[] };
    for (let round = 0; round < bench.rounds; round++) {
      forget(home);
      took.first.push(run(home, stats));
      took.second.push(run(home, stats));
      if (peer === undefined) continue;
      took.peer.push(run(home, [peer, "claude", "daily", "--json", "--offline", "-z", "UTC"]));
    }
    const name = `stats of ${(bytes / 1e6).toFixed(0)} MB`;
    if (peer === undefined) {
      const value = median(took.first.map(({ cpu }) => cpu));
      return [row(`${name}, cpu; no peer here`, { value, most: 1, unit: " s" })];
    }
    return (["wall", "cpu"] as const).flatMap((by) => [
      ratioRow(`${name}, first run`, took.first, took.peer, by, false),
      ratioRow(`${name}, second run`, took.second, took.peer, by, true),
    ]);
  },
};
