/** What the tests take, in turns with those of another commit. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuSeconds } from "./cpu_time.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { inTurns, median, medianRatio } from "./rounds.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ROUNDS = 2;
const MOST_TEST = 0.45;
const MOST_ALL = 0.65;
const MOST_WALL_S = 150;

interface Run {
  cpu_s: number;
  wall_s: number;
}

function git(...args: string[]): void {
  const { success } = new Deno.Command("git", { args, cwd: ROOT, stdout: "null" }).outputSync();
  assert.ok(success, `git ${args.join(" ")} failed`);
}

/** Runs the tests of a tree; those of the other commit may fail, because its faults stay. */
async function runTests(bench: Bench, tree: string, ...args: string[]): Promise<Run> {
  const cpu = cpuSeconds();
  const begun = performance.now();
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--lock=tests/deno.lock", "--frozen", "-A", "tests/main.ts", ...args],
    cwd: tree,
    stdout: "null",
    stderr: "null",
  }).output();
  const run = { cpu_s: cpuSeconds() - cpu, wall_s: (performance.now() - begun) / 1000 };
  const outcome = success ? "passed" : "failed";
  bench.note(`${outcome}: ${rounded(run.cpu_s)} s of CPU, ${rounded(run.wall_s)} s on the clock`);
  assert.ok(success || tree !== ROOT, `the tests fail: deno task test, in ${tree}`);
  return run;
}

/** The rows for what was measured. */
function rows(took: Record<"here" | "sized" | "there", Run[]>): Row[] {
  const cpu = (name: keyof typeof took): number[] => took[name].map(({ cpu_s }) => cpu_s);
  const seconds = median(took.here.map(({ wall_s }) => wall_s));
  const both = cpu("here").map((value, round) => value + (cpu("sized")[round] ?? NaN));
  const note = (values: number[]): string =>
    `${rounded(median(values))} s : ${rounded(median(cpu("there")))} s of CPU`;
  return [
    row("test : test of the other commit, CPU", {
      ...{ value: medianRatio(cpu("here"), cpu("there")), most: MOST_TEST, unit: " x" },
      note: note(cpu("here")),
    }),
    row("test and test:all : test of the other commit, CPU", {
      ...{ value: medianRatio(both, cpu("there")), most: MOST_ALL, unit: " x" },
      note: note(both),
    }),
    row("test, on the clock", { value: seconds, most: MOST_WALL_S, unit: " s" }),
  ];
}

/** The time of the tests; the other commit is `bench.against`. */
export const tests: Figure = {
  name: "tests",
  async measure(bench: Bench): Promise<Row[]> {
    const other = join(bench.directory, "other");
    bench.note(`comparing with ${bench.against}`);
    git("worktree", "add", "--quiet", "--detach", other, bench.against);
    try {
      const runs = {
        here: () => runTests(bench, ROOT),
        sized: () => runTests(bench, ROOT, "--full-size"),
        there: () => runTests(bench, other),
      };
      return rows(
        await inTurns(["here", "sized", "there"], ROUNDS, (name) => {
          bench.note(name);
          return runs[name]();
        }),
      );
    } finally {
      git("worktree", "remove", "--force", other);
    }
  },
};
