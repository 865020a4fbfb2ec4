/**
 * Measures the figures that Reprise promises: `deno task figures [GROUP]… [--against REV] [--quick]
 * [--keep DIR]`, by default all groups. Prints a table with the CPU time that each measurement took;
 * exits with 1 when a figure is missed. Ratios are of runs that take turns; milliseconds and bytes
 * are of the machine, so read them beside its factor and its load.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { agents } from "./agents_figure.ts";
import { command } from "./command_figure.ts";
import { cpuSeconds } from "./cpu_time.ts";
import { machineFactor } from "./machine_factor.ts";
import { catalogue } from "./catalogue_figure.ts";
import { exported } from "./export_figure.ts";
import { opened } from "./open_figure.ts";
import { type Bench, type Figure, rounded, type Row } from "./figure.ts";
import { list } from "./list_figure.ts";
import { machines } from "./machines_figure.ts";
import { memory } from "./memory_figure.ts";
import { recall } from "./recall_figure.ts";
import { resume } from "./resume_figure.ts";
import { search } from "./search_figure.ts";
import { server } from "./server_figure.ts";
import { session } from "./session_figure.ts";
import { tests } from "./tests_figure.ts";
import { startup } from "./startup_figure.ts";
import { folder } from "./folder_figure.ts";
import { shared } from "./sync_figure.ts";
import { throughput } from "./throughput_figure.ts";
import { usage } from "./usage_figure.ts";

/** What is measured together. */
const GROUPS: Readonly<Record<string, readonly Figure[]>> = {
  tests: [tests],
  conversation: [throughput, memory, resume, command, agents],
  list: [list, catalogue, startup],
  library: [session, server],
  search: [search],
  recall: [recall],
  usage: [usage],
  pages: [opened, exported],
  sync: [machines, folder, shared],
};
const ROUNDS = 7;

const encoder = new TextEncoder();

function print(text: string): void {
  Deno.stdout.writeSync(encoder.encode(text));
}

function note(text: string): void {
  Deno.stderr.writeSync(encoder.encode(`${text}\n`));
}

function machine(): string {
  const [load = 0] = loadavg();
  return `Deno ${Deno.version.deno}, ${Deno.build.target}, ${navigator.hardwareConcurrency} cores, ` +
    `load ${load.toFixed(1)}`;
}

/** A row, with the CPU time of its measurement, which several rows may share. */
interface TimedRow extends Row {
  cpu: string;
}

function table(rows: readonly TimedRow[]): string {
  const head = { figure: "figure", asked: "target", got: "measured", cpu: "CPU" };
  const widthOf = (column: keyof typeof head): number =>
    Math.max(...[head, ...rows].map((row) => row[column].length));
  const [figure, asked, cpu] = [widthOf("figure"), widthOf("asked"), widthOf("cpu")];
  const line = (row: typeof head, verdict: string): string =>
    `${verdict.padEnd(6)}  ${row.figure.padEnd(figure)}  ${row.asked.padEnd(asked)}  ` +
    `${row.cpu.padStart(cpu)}  ${row.got}\n`;
  return [line(head, ""), ...rows.map((row) => line(row, row.ok ? "ok" : "MISSED"))].join("");
}

async function measure(figures: readonly Figure[], bench: Bench): Promise<boolean> {
  const rows: TimedRow[] = [];
  const before = machine();
  const factor = machineFactor(bench.directory);
  for (const figure of figures) {
    note(`${figure.name} …`);
    const cpu = cpuSeconds();
    const measured = await figure.measure(bench);
    const took = `${rounded(cpuSeconds() - cpu)} s`;
    rows.push(...measured.map((row) => ({ ...row, cpu: took })));
  }
  print(`${before} before, ${loadavg()[0]?.toFixed(1)} after\n${factor}\n${table(rows)}`);
  return rows.every(({ ok }) => ok);
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      against: { type: "string", default: "HEAD^" },
      quick: { type: "boolean", default: false },
      keep: { type: "string" },
    },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(GROUPS, name));
  if (unknown !== undefined) {
    note(`Unknown group "${unknown}". Choose of: ${Object.keys(GROUPS).join(", ")}`);
    return 2;
  }
  const names = positionals.length > 0 ? positionals : Object.keys(GROUPS);
  const figures = names.flatMap((name) => GROUPS[name] ?? []);
  const { against, keep, quick } = values;
  if (keep !== undefined) Deno.mkdirSync(keep, { recursive: true });
  const directory = Deno.realPathSync(keep ?? Deno.makeTempDirSync({ prefix: "reprise-bench-" }));
  const log_bytes = quick ? 40e6 : 400e6;
  const session_counts = quick ? [1000] : [1000, 10_000];
  try {
    const bench = { directory, against, log_bytes, session_counts, rounds: ROUNDS, note };
    return await measure(figures, bench) ? 0 : 1;
  } finally {
    if (keep === undefined) Deno.removeSync(directory, { recursive: true });
  }
}

if (import.meta.main) Deno.exitCode = await main(Deno.args);
