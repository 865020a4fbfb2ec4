/**
 * How long the executable takes to list, search and add up many sessions that it knows from before,
 * every file looked at, with `LANG` set as it is on a desktop: whole processes.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeAgentHome } from "./agent_sessions.ts";
import { makeBenchStore } from "./bench_store.ts";
import { compileProgram } from "./compile_recipe.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { peakMemoryOf } from "./peak_memory.ts";
import { median } from "./rounds.ts";

const SESSION_BYTES = 3000;
const DIRECTORIES = Array.from({ length: 20 }, (_, index) => `/home/ada/src/project_${index}`);
/** In no text of the sessions. */
const RARE = "zebrafish";
const MEGABYTE = 1e6;

/** A command that is run again and again. */
interface Asked {
  name: string;
  args: readonly string[];
  /** Milliseconds. */
  most: number;
  /** Megabytes at the peak. */
  most_megabytes?: number;
  /** Whether it is run once alone: another run has nothing left to do, or takes minutes. */
  once?: boolean;
}

interface Shape {
  name: string;
  asked: readonly Asked[];
  /** Fills a home and a store. */
  make(home: string, store: string): void;
}

function shapes(bench: Bench): Shape[] {
  const most = Math.max(...bench.session_counts);
  const scale = most / 10_000;
  return [{
    name: `${most} Claude Code sessions`,
    asked: [{ name: "list, 40 rows", args: ["list", "--all", "-n", "40"], most: 250 * scale }, {
      name: "stats",
      args: ["stats", "--all", "--by", "model"],
      most: 1000 * scale,
    }],
    make(home, store): void {
      makeAgentHome("claude", home, { count: most, bytes: SESSION_BYTES });
      Deno.mkdirSync(store, { mode: 0o700 });
    },
  }, {
    name: `${10 * most} sessions of ours`,
    asked: [
      {
        name: "list, 20 rows",
        args: ["list", "--all", "-n", "20"],
        most: 1000 * scale,
        most_megabytes: 160,
      },
      { name: "list, all rows", args: ["list", "--all"], most: 1500 * scale },
      { name: "stats", args: ["stats", "--all", "--by", "model"], most: 2000 * scale },
      {
        name: "index build",
        args: ["index", "build", "--fresh"],
        most: Infinity,
        most_megabytes: 250,
        once: true,
      },
      { name: "rare indexed search", args: ["search", "--all", RARE], most: 500 * scale },
    ],
    make(_home, store): void {
      const sessions = 10 * most;
      makeBenchStore({ root: store, sessions, bytes: SESSION_BYTES, directories: DIRECTORIES });
    },
  }];
}

/** What one run took. */
interface Took {
  ms: number;
  /** Bytes at the peak; undefined where the system does not tell. */
  memory: number | undefined;
}

async function measured(
  bench: Bench,
  reprise: string,
  index: number,
  shape: Shape,
): Promise<Row[]> {
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
  const run = async (args: readonly string[]): Promise<Took> => {
    const begun = performance.now();
    const child = new Deno.Command(reprise, {
      args: [...args],
      cwd: directory,
      clearEnv: true,
      env: { HOME: directory, REPRISE_HOME: store, LANG: "en_US.UTF-8" },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const [{ success, stdout, stderr }, memory] = await Promise.all([
      child.output(),
      peakMemoryOf(child),
    ]);
    assert.ok(success && stdout.length + stderr.length > 0);
    return { ms: performance.now() - begun, memory };
  };
  const rows: Row[] = [];
  for (const asked of shape.asked) {
    bench.note(`${asked.name} of ${shape.name}`);
    rows.push(...await askedRows(bench, `${asked.name} of ${shape.name}`, asked, run));
  }
  return rows;
}

async function askedRows(
  { rounds }: Bench,
  name: string,
  { args, most, most_megabytes, once = false }: Asked,
  run: (args: readonly string[]) => Promise<Took>,
): Promise<Row[]> {
  const first = await run(args);
  // Twice: what was changed just now is not kept.
  if (!once) await run(args);
  const again: Took[] = once ? [first] : [];
  while (again.length < (once ? 1 : rounds)) again.push(await run(args));
  const rows: Row[] = [];
  if (most !== Infinity) {
    const value = median(again.map(({ ms }) => ms));
    const note = `the first time ${rounded(first.ms)} ms`;
    rows.push(row(`${name}, again`, { value, most, unit: " ms", note }));
  }
  const memory = Math.max(...again.map((took) => took.memory ?? 0));
  if (most_megabytes !== undefined && memory > 0) {
    const note = `${rounded(first.ms)} ms the first time`;
    const value = memory / MEGABYTE;
    rows.push(row(`${name}, peak memory`, { value, most: most_megabytes, unit: " MB", note }));
  }
  return rows;
}

/** What many sessions cost, once they are known. */
export const catalogue: Figure = {
  name: "catalogue",
  async measure(bench): Promise<Row[]> {
    const reprise = compileProgram(join(bench.directory, "catalogued"));
    const rows: Row[] = [];
    for (const [index, shape] of shapes(bench).entries()) {
      rows.push(...await measured(bench, reprise, index, shape));
    }
    return rows;
  },
};
