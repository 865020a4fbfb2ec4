/**
 * How long the executable takes to list many sessions that it has listed before, every file looked at,
 * with `LANG` set as it is on a desktop: whole processes.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeAgentHome } from "./agent_sessions.ts";
import { makeBenchStore } from "./bench_store.ts";
import { compileProgram } from "./compile_recipe.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { median } from "./rounds.ts";

const SESSION_BYTES = 3000;
const DIRECTORIES = Array.from({ length: 20 }, (_, index) => `/home/ada/src/project_${index}`);

interface Shape {
  name: string;
  args: readonly string[];
  most: number;
  /** Fills a home and a store. */
  make(home: string, store: string): void;
}

function shapes(bench: Bench): Shape[] {
  const most = Math.max(...bench.session_counts);
  return [{
    name: `list of ${most} Claude Code sessions, again, 40 rows`,
    args: ["list", "--all", "-n", "40"],
    most: 250 * most / 10_000,
    make(home, store): void {
      makeAgentHome("claude", home, { count: most, bytes: SESSION_BYTES });
      Deno.mkdirSync(store, { mode: 0o700 });
    },
  }, {
    name: `list of ${10 * most} sessions of ours, again, 20 rows`,
    args: ["list", "--all", "-n", "20"],
    most: 1000 * most / 10_000,
    make(_home, store): void {
      const sessions = 10 * most;
      makeBenchStore({ root: store, sessions, bytes: SESSION_BYTES, directories: DIRECTORIES });
    },
  }];
}

async function measured(bench: Bench, reprise: string, index: number, shape: Shape): Promise<Row> {
  const directory = join(bench.directory, `catalogue_${index}`);
  const store = join(directory, "store");
  const done = join(directory, "made");
  try {
    Deno.statSync(done);
  } catch {
    bench.note(shape.name);
    Deno.mkdirSync(directory, { recursive: true });
    shape.make(directory, store);
    Deno.writeTextFileSync(done, "");
  }
  const list = async (args: readonly string[]): Promise<number> => {
    const begun = performance.now();
    const { success, stdout } = await new Deno.Command(reprise, {
      args: [...args],
      cwd: directory,
      clearEnv: true,
      env: { HOME: directory, REPRISE_HOME: store, LANG: "en_US.UTF-8" },
    }).output();
    assert.ok(success && stdout.length > 1000);
    return performance.now() - begun;
  };
  // Twice: what was changed just now is not kept.
  const first = await list(shape.args);
  await list(shape.args);
  const times: number[] = [];
  for (let round = 0; round < bench.rounds; round++) times.push(await list(shape.args));
  return row(shape.name, {
    value: median(times),
    most: shape.most,
    unit: " ms",
    note: `the first time ${rounded(first)} ms`,
  });
}

/** Listing again. */
export const catalogue: Figure = {
  name: "catalogue",
  async measure(bench): Promise<Row[]> {
    const reprise = compileProgram(join(bench.directory, "catalogued"));
    const rows: Row[] = [];
    for (const [index, shape] of shapes(bench).entries()) {
      rows.push(await measured(bench, reprise, index, shape));
    }
    return rows;
  },
};
