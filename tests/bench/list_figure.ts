/**
 * How long it takes to list sessions, counts included, without an index.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeBenchStore } from "./bench_store.ts";
import { type Bench, type Figure, type Row, row } from "./figure.ts";
import { median } from "./rounds.ts";
import { runTask } from "./task.ts";

const SESSION_BYTES = 20_000;
/** A tenth of a millisecond for each. */
const MOST_MS_EACH = 0.1;
const DIRECTORIES = Array.from({ length: 20 }, (_, index) => `/home/ada/src/project_${index}`);

function storeOf(bench: Bench, sessions: number): string {
  const root = join(bench.directory, `store_${sessions}`);
  const done = join(root, "made");
  try {
    Deno.statSync(done);
  } catch {
    bench.note(`${sessions} sessions of ${SESSION_BYTES / 1000} KB`);
    makeBenchStore({ root, sessions, bytes: SESSION_BYTES, directories: DIRECTORIES });
    Deno.writeTextFileSync(done, "");
  }
  return root;
}

async function listRow(bench: Bench, sessions: number): Promise<Row> {
  const root = storeOf(bench, sessions);
  // Once for the disk, whose time is not ours.
  await runTask("list", root);
  const times: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const { ms, count } = await runTask("list", root);
    assert.equal(count, sessions);
    times.push(ms);
  }
  const most = sessions * MOST_MS_EACH;
  return row(`summaries of ${sessions} sessions`, { value: median(times), most, unit: " ms" });
}

/** Listing. */
export const list: Figure = {
  name: "list",
  async measure(bench): Promise<Row[]> {
    const rows: Row[] = [];
    for (const sessions of bench.session_counts) rows.push(await listRow(bench, sessions));
    return rows;
  },
};
