/**
 * How fast a log is read, against what a program without Reprise would do with the same file.
 */
import { benchData } from "./bench_data.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { median, medianRatio } from "./rounds.ts";
import { compareTasks, type TaskName } from "./task.ts";

interface Comparison {
  task: TaskName;
  title: string;
  streams: number;
  loop?: number;
}

const COMPARISONS: readonly Comparison[] = [
  { task: "texts", title: "conversation, tools omitted", streams: 4 },
  { task: "conversation", title: "conversation with tools", streams: 1.1, loop: 0.9 },
  { task: "transcript", title: "transcript", streams: 1.1, loop: 0.9 },
  { task: "every_line", title: "every line parsed", streams: 1.1, loop: 0.9 },
];

async function compare(bench: Bench, comparison: Comparison): Promise<Row[]> {
  const { path, shape } = benchData(bench);
  const { task, title, streams, loop } = comparison;
  // One at a time against the others: a result of 350 MB leaves the heap as no other finds it.
  const took = await compareTasks(["streams", "loop", task], bench.rounds, path);
  const speed = (name: TaskName): string =>
    `${rounded(shape.bytes / 1000 / median(took[name] ?? []))} MB/s`;
  const rows = [row(`${title} : plain web streams`, {
    value: medianRatio(took.streams, took[task] ?? []),
    least: streams,
    unit: " x",
    note: `${speed(task)} : ${speed("streams")}`,
  })];
  if (loop === undefined) return rows;
  return [
    ...rows,
    row(`${title} : synchronous loop`, {
      value: medianRatio(took.loop, took[task] ?? []),
      least: loop,
      unit: " x",
      note: `${speed(task)} : ${speed("loop")}`,
    }),
  ];
}

/** Throughput of the pipeline. */
export const throughput: Figure = {
  name: "throughput",
  async measure(bench): Promise<Row[]> {
    const rows: Row[] = [];
    for (const comparison of COMPARISONS) rows.push(...await compare(bench, comparison));
    return rows;
  },
};
