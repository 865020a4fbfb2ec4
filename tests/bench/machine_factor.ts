/** What a machine takes for two fixed pieces of work, so that figures of two machines can be compared. */
import { join } from "node:path";
import process from "node:process";
import { rounded } from "./figure.ts";
import { median } from "./rounds.ts";

/** What the machine of the figures' page took. */
const REFERENCE_LOOP_MS = 400;
const REFERENCE_SYNCS_MS = 900;
const LOOP_STEPS = 200_000_000;
const SYNCS = 1000;
const ROUNDS = 3;

/** CPU time, which other programs lengthen less. */
function loopMs(): number {
  const begun = process.cpuUsage().user;
  let state = 1;
  for (let step = 0; step < LOOP_STEPS; step++) state = (Math.imul(state, 1664525) + step) | 0;
  // Used, so that no compiler leaves the loop out.
  return (process.cpuUsage().user - begun) / 1000 + (state === 0.5 ? 1 : 0);
}

function syncsMs(directory: string): number {
  const path = join(directory, "synced");
  using file = Deno.openSync(path, { write: true, create: true });
  const bytes = new Uint8Array(64);
  const begun = performance.now();
  for (let round = 0; round < SYNCS; round++) {
    file.writeSync(bytes);
    file.syncDataSync();
  }
  return performance.now() - begun;
}

/** Says how this machine compares; above 1 it is slower. */
export function machineFactor(directory: string): string {
  const loop = median(Array.from({ length: ROUNDS }, loopMs));
  const syncs = median(Array.from({ length: ROUNDS }, () => syncsMs(directory)));
  return `machine factor: CPU ${rounded(loop / REFERENCE_LOOP_MS)} (a fixed loop: ${
    rounded(loop)
  } ms), disk ${rounded(syncs / REFERENCE_SYNCS_MS)} (1,000 fdatasyncs: ${rounded(syncs)} ms)`;
}
