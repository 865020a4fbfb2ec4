/**
 * The most memory that reading takes beyond its result: the same for a log ten times as long.
 */
import { benchData, LONG } from "./bench_data.ts";
import { withCompaction } from "./bench_log.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { type TaskName, weighTask } from "./task.ts";

const MIB = 1024 * 1024;
const MOST_MIB = 160;
/** The greatest of so many counts: what only happens now and then happens to somebody. */
const ROUNDS = 3;

interface Reading {
  task: TaskName;
  title: string;
}

const READINGS: readonly Reading[] = [
  { task: "texts", title: "conversation, tools omitted" },
  { task: "conversation", title: "conversation with tools" },
  { task: "transcript", title: "transcript" },
  { task: "every_line", title: "every line parsed" },
];

/** With tools, the whole conversation of the long log is more than the engine's heap can hold. */
const LONG_READINGS = READINGS.filter(({ task }) => task !== "conversation");

const RESUME: Reading = { task: "resume", title: "resume from a compaction" };

async function peak(
  { task, title }: Reading,
  path: string,
  rounds: number,
  log: string,
): Promise<Row[]> {
  let beyond = 0;
  let result = 0;
  for (let round = 0; round < rounds; round++) {
    const { peak_memory, result_bytes } = await weighTask(task, path);
    if (peak_memory === undefined) return [];
    beyond = Math.max(beyond, peak_memory - result_bytes);
    result = Math.max(0, result_bytes);
  }
  const note = `result ${rounded(result / MIB)} MiB`;
  return [row(`peak memory, ${title}, ${log}`, {
    value: beyond / MIB,
    most: MOST_MIB,
    unit: " MiB",
    note,
  })];
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

async function peaks(
  bench: Bench,
  times: number,
  rounds: number,
  readings: readonly Reading[],
): Promise<Row[]> {
  const { path, shape } = benchData(bench, times);
  const log = inMegabytes(bench.log_bytes * times);
  const rows: Row[] = [];
  for (const reading of readings) rows.push(...await peak(reading, path, rounds, log));
  const resume = (): Promise<Row[]> => peak(RESUME, path, rounds, log);
  return [...rows, ...await withCompaction(path, shape.events, resume)];
}

const MOST_UNSETTLED_MB = 120;

/** A call that never settles must not hold all that follows it. */
async function unsettledRows(bench: Bench): Promise<Row[]> {
  const { path } = benchData(bench, 1, { unsettled: true });
  const { peak_memory } = await weighTask("transcript", path);
  if (peak_memory === undefined) return [];
  const log = inMegabytes(bench.log_bytes);
  return [row(`peak memory, transcript, ${log} behind a call that never settles`, {
    value: peak_memory / 1e6,
    most: MOST_UNSETTLED_MB,
    unit: " MB",
  })];
}

/** Peak memory of the pipeline. */
export const memory: Figure = {
  name: "memory",
  async measure(bench: Bench): Promise<Row[]> {
    const short = await peaks(bench, 1, ROUNDS, READINGS);
    const unsettled = await unsettledRows(bench);
    return [...short, ...unsettled, ...await peaks(bench, LONG, 1, LONG_READINGS)];
  },
};
