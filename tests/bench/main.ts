/**
 * Measures the figures that Reprise promises: `deno task bench [--only NAME]… [--quick] [--keep
 * DIR]`. Prints a table; exits with 1 when a figure is missed. Ratios are of runs that take turns;
 * milliseconds and bytes are of the machine, so read them beside its load.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { agents } from "./agents_figure.ts";
import { command } from "./command_figure.ts";
import { catalogue } from "./catalogue_figure.ts";
import { exported } from "./export_figure.ts";
import { opened } from "./open_figure.ts";
import type { Bench, Figure, Row } from "./figure.ts";
import { list } from "./list_figure.ts";
import { memory } from "./memory_figure.ts";
import { resume } from "./resume_figure.ts";
import { search } from "./search_figure.ts";
import { session } from "./session_figure.ts";
import { startup } from "./startup_figure.ts";
import { folder } from "./folder_figure.ts";
import { shared } from "./sync_figure.ts";
import { throughput } from "./throughput_figure.ts";
import { usage } from "./usage_figure.ts";

const FIGURES: readonly Figure[] = [
  throughput,
  memory,
  resume,
  list,
  catalogue,
  session,
  startup,
  command,
  agents,
  exported,
  opened,
  search,
  usage,
  shared,
  folder,
];
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

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ figure }) => figure.length));
  const lines = rows.map(({ figure, asked, got, ok }) =>
    `${ok ? "ok    " : "MISSED"}  ${figure.padEnd(width)}  ${asked.padEnd(11)}  ${got}\n`
  );
  return lines.join("");
}

async function measure(figures: readonly Figure[], bench: Bench): Promise<boolean> {
  const rows: Row[] = [];
  const before = machine();
  for (const figure of figures) {
    note(`${figure.name} …`);
    rows.push(...await figure.measure(bench));
  }
  print(`${before} before, ${loadavg()[0]?.toFixed(1)} after\n${table(rows)}`);
  return rows.every(({ ok }) => ok);
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string", multiple: true, default: FIGURES.map(({ name }) => name) },
      quick: { type: "boolean", default: false },
      keep: { type: "string" },
    },
  });
  const figures = FIGURES.filter(({ name }) => values.only.includes(name));
  if (figures.length === 0) {
    note(`There is no such figure. Choose of: ${FIGURES.map(({ name }) => name).join(", ")}`);
    return 2;
  }
  const { keep, quick } = values;
  if (keep !== undefined) Deno.mkdirSync(keep, { recursive: true });
  const directory = Deno.realPathSync(keep ?? Deno.makeTempDirSync({ prefix: "reprise-bench-" }));
  const log_bytes = quick ? 40e6 : 400e6;
  const session_counts = quick ? [1000] : [1000, 10_000];
  try {
    const bench = { directory, log_bytes, session_counts, rounds: ROUNDS, note };
    return await measure(figures, bench) ? 0 : 1;
  } finally {
    if (keep === undefined) Deno.removeSync(directory, { recursive: true });
  }
}

if (import.meta.main) Deno.exitCode = await main(Deno.args);
