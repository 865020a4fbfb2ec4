/**
 * How long it takes to get back what a model needs next, whatever the log's length.
 */
import assert from "node:assert/strict";
import { benchData, LONG } from "./bench_data.ts";
import { TAIL_EVENTS, withCompaction } from "./bench_log.ts";
import { type Bench, type Figure, type Row, row } from "./figure.ts";
import { median } from "./rounds.ts";
import { runTask, type TaskResult } from "./task.ts";

const MOST_MS = 50;

/** The first read of each of several new processes. */
async function resumed(bench: Bench, times: number): Promise<TaskResult[]> {
  const { path, shape } = benchData(bench, times);
  return await withCompaction(path, shape.events, async () => {
    const results: TaskResult[] = [];
    for (let round = 0; round < bench.rounds; round++) results.push(await runTask("resume", path));
    return results;
  });
}

async function resumeRow(bench: Bench, times: number): Promise<Row> {
  const results = await resumed(bench, times);
  const count = results[0]?.count ?? 0;
  // The 100 events that the compaction keeps and those behind it make fewer messages than events.
  assert.ok(count > 50 && count < 100 + TAIL_EVENTS, `${count} messages`);
  const megabytes = (bench.log_bytes * times / 1e6).toFixed(0);
  return row(`resume, compaction ${TAIL_EVENTS} events before the end, ${megabytes} MB`, {
    value: median(results.map(({ ms }) => ms)),
    most: MOST_MS,
    unit: " ms",
    note: `${count} messages`,
  });
}

/** Resuming. */
export const resume: Figure = {
  name: "resume",
  async measure(bench): Promise<Row[]> {
    return [await resumeRow(bench, 1), await resumeRow(bench, LONG)];
  },
};
