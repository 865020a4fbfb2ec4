/**
 * Searching: all of a large corpus without an index; and with one, over a hundred thousand messages.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { indexStatus } from "../../lib/library/search/index/index_status.ts";
import { updateIndex } from "../../lib/library/search/index/index_update.ts";
import { searchSessions } from "../../lib/library/search/search.ts";
import { fileSize } from "../../lib/library/search/index/source_stamp.ts";
import { openLibrary } from "../../lib/library/library.ts";
import type { AgentSession } from "../../lib/agents/contract/agent.ts";
import { ownSessions } from "../_support/own_sessions.ts";
import { openStore } from "../../lib/core/store/open_store.ts";
import { makeAgentHome } from "./agent_sessions.ts";
import { makeBenchStore } from "./bench_store.ts";
import { v8Flags } from "./compile_recipe.ts";
import { type Bench, type Figure, type Row, row } from "./figure.ts";
import { peakMemory } from "./peak_memory.ts";
import { median } from "./rounds.ts";

const AGENTS = ["claude", "codex", "pi"] as const;
const DIRECTORIES = ["/home/ada/src/ledger", "/home/ada/src/site"];
/** In no text of the corpus. */
const RARE = "zebrafish";
const COMMON = "error";
const SCANS = 3;

/** What one process measured. */
interface Measurement {
  ms: number;
  /** Time of all threads, the system's for them included. */
  cpu_ms: number;
  bytes: number;
  peak_memory: number;
}

function made(bench: Bench, name: string, make: (path: string) => void): string {
  const path = join(bench.directory, name);
  try {
    Deno.statSync(join(path, "made"));
  } catch {
    bench.note(`making ${name}`);
    make(path);
    Deno.writeTextFileSync(join(path, "made"), "");
  }
  return path;
}

/** A quarter of it of each agent, ours among them; 1 GB for a bench log of 400 MB. */
function corpus(bench: Bench): string {
  const share = bench.log_bytes * 0.625;
  return made(bench, "search_corpus", (home) => {
    for (const agent of AGENTS) makeAgentHome(agent, home, { count: 25, bytes: share / 25 });
    makeBenchStore({
      root: join(home, "store"),
      sessions: 250,
      bytes: share / 250,
      directories: DIRECTORIES,
    });
  });
}

/** 100,000 messages for a bench log of 400 MB. */
function messages(bench: Bench): string {
  return made(bench, "search_store", (root) => {
    const sessions = Math.round(bench.log_bytes / 1.25e6);
    makeBenchStore({ root, sessions, bytes: 1e6, directories: DIRECTORIES });
  });
}

async function corpusSources(home: string): Promise<AgentSession[]> {
  const variable = (name: string): string | undefined => name === "HOME" ? home : undefined;
  const library = openLibrary({ root: join(home, "store"), variable });
  return await library.sessions({ agents: ["reprise", ...AGENTS] });
}

function sizeOf(sources: readonly AgentSession[]): number {
  return sources.reduce((sum, { path }) => sum + fileSize(path), 0);
}

async function scanCorpus(home: string): Promise<Measurement> {
  const sources = await corpusSources(home);
  const clock = startClock();
  const { total, scanned_bytes } = await searchSessions(sources, { query: RARE, now: Date.now() });
  const took = clock();
  assert.equal(total, 0);
  return { ...took, bytes: scanned_bytes, peak_memory: peakMemory() ?? NaN };
}

/** Gives what tells how long it was since. */
function startClock(): () => Pick<Measurement, "ms" | "cpu_ms"> {
  const start = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { ms: performance.now() - start, cpu_ms: (user + system) / 1000 };
  };
}

async function buildIndex(root: string): Promise<Measurement> {
  const sources = ownSessions(root);
  const clock = startClock();
  await updateIndex(root, sources, { fresh: true });
  return { ...clock(), bytes: sizeOf(sources), peak_memory: peakMemory() ?? NaN };
}

async function inProcess(task: string, path: string): Promise<Measurement> {
  const args = ["run", "--quiet", "-A", `--v8-flags=${v8Flags().join(",")}`];
  const script = fileURLToPath(import.meta.url);
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...args, script, task, path],
    stderr: "inherit",
  }).output();
  assert.ok(success, `the measurement failed: ${task}`);
  return JSON.parse(new TextDecoder().decode(stdout)) as Measurement;
}

async function scanRows(bench: Bench): Promise<Row[]> {
  const home = corpus(bench);
  const runs: Measurement[] = [];
  // Once for the disk, whose time is not ours.
  await inProcess("scan", home);
  for (let round = 0; round < SCANS; round++) runs.push(await inProcess("scan", home));
  const speed = median(runs.map(({ ms, bytes }) => bytes / 1000 / ms));
  const cpu_speed = median(runs.map(({ cpu_ms, bytes }) => bytes / 1e6 / cpu_ms));
  const note = `${((runs[0]?.bytes ?? 0) / 1e6).toFixed(0)} MB of four agents`;
  return [
    row("search without index", { value: speed, least: 500, unit: " MB/s", note }),
    row("search without index, of CPU time", { value: cpu_speed, least: 1.5, unit: " GB/s" }),
    memoryRow("search without index", runs),
  ];
}

function memoryRow(what: string, runs: readonly Measurement[]): Row {
  const value = Math.max(...runs.map(({ peak_memory }) => peak_memory)) / 1e6;
  return row(`${what}: peak memory`, { value, most: 250, unit: " MB" });
}

async function buildRows(root: string): Promise<Row[]> {
  const run = await inProcess("build", root);
  const value = run.bytes / 1000 / run.ms;
  return [
    row("index build", { value, least: 20, unit: " MB/s" }),
    memoryRow("index build", [run]),
  ];
}

async function medianTime(rounds: number, work: (round: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const start = performance.now();
    await work(round);
    // The first one opens the index.
    if (round >= 0) times.push(performance.now() - start);
  }
  return median(times);
}

async function searchRows(bench: Bench, root: string): Promise<Row[]> {
  const sources = ownSessions(root);
  const { texts } = indexStatus(root, sources);
  const timeOf = (query: string, sort: "relevance" | "time"): Promise<number> =>
    medianTime(bench.rounds, async () => {
      const found = await searchSessions(sources, { query, sort, now: Date.now() }, {
        cache: root,
      });
      assert.equal(found.scanned_bytes, 0);
      assert.equal(found.hits.length, query === RARE ? 0 : 20);
    });
  const note = `${texts} messages`;
  return [
    row("in process, indexed, rare term", {
      value: await timeOf(RARE, "relevance"),
      most: 10,
      unit: " ms",
      note,
    }),
    row("in process, indexed, common word by relevance", {
      value: await timeOf(COMMON, "relevance"),
      most: 100,
      unit: " ms",
    }),
    row("in process, indexed, common word by time", {
      value: await timeOf(COMMON, "time"),
      most: 30,
      unit: " ms",
    }),
    row("in process, index update after one event", {
      value: await updateTime(bench, root),
      most: 20,
      unit: " ms",
    }),
  ];
}

async function updateTime(bench: Bench, root: string): Promise<number> {
  const session = openStore({ root }).create({ cwd: bench.directory });
  const append = async (): Promise<void> => {
    await session.append({ kind: "user_message", payload: { content: "One more" } });
  };
  await append();
  const sources = ownSessions(root);
  await updateIndex(root, sources);
  const times: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    await append();
    const start = performance.now();
    const { state, passed_over } = await updateIndex(root, sources);
    times.push(performance.now() - start);
    assert.deepEqual([state, passed_over], ["done", 0]);
  }
  await session.finish();
  return median(times);
}

/** Search. */
export const search: Figure = {
  name: "search",
  async measure(bench): Promise<Row[]> {
    const root = messages(bench);
    return [...await scanRows(bench), ...await buildRows(root), ...await searchRows(bench, root)];
  },
};

if (import.meta.main) {
  const [task, path = ""] = Deno.args;
  const measured = task === "scan" ? await scanCorpus(path) : await buildIndex(path);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(measured)));
}
