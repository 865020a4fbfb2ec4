/**
 * The logs of a bench run, made when they are first asked for and kept for the next figure.
 */
import assert from "node:assert/strict";
import { statfsSync } from "node:fs";
import { join } from "node:path";
import { type BenchLogOptions, writeBenchLog } from "./bench_log.ts";
import type { Bench } from "./figure.ts";
import { assertBenchShape, formatShape, type LogShape } from "./log_shape.ts";

/** The log whose memory and whose resume must cost the same is so many times as long. */
export const LONG = 10;

/** A log and what it is like. */
export interface BenchData {
  path: string;
  shape: LogShape;
}

function readShape(path: string): LogShape | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(path)) as LogShape;
  } catch {
    // Not made yet, or not to its end.
    return undefined;
  }
}

function assertSpace(directory: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  const free = Number(bavail) * Number(bsize);
  const gigabytes = (free / 1e9).toFixed(1);
  assert.ok(free > 1.2 * bytes, `a log of ${bytes / 1e9} GB and ${gigabytes} GB are free`);
}

/** The bench log, `times` as long as asked for. */
export function benchData(
  bench: Bench,
  times = 1,
  options: BenchLogOptions = {},
): BenchData {
  const bytes = bench.log_bytes * times;
  const name = options.unsettled ? "unsettled" : "log";
  const path = join(bench.directory, `${name}_${bytes}.jsonl`);
  let shape = readShape(`${path}.shape`);
  if (shape === undefined || Deno.statSync(path).size !== shape.bytes) {
    assertSpace(bench.directory, bytes);
    shape = writeBenchLog(path, bytes, options);
    Deno.writeTextFileSync(`${path}.shape`, JSON.stringify(shape));
    bench.note(formatShape(shape));
  }
  assertBenchShape(shape);
  return { path, shape };
}
