/** Reads a log by readEvents; prints what it found, and the most memory that the process had. */
import { emptyTally } from "../../lib/core/log/parse_state.ts";
import { readEvents } from "../../lib/core/log/read_events.ts";

/** What the process prints. */
export interface ReadPeak {
  events: number;
  codes: Record<string, number>;
  adds_up: boolean;
  bytes: number;
  peak_mib: number;
}

async function readPeak(path: string): Promise<ReadPeak> {
  const tally = emptyTally();
  const codes: Record<string, number> = {};
  let events = 0;
  const batches = readEvents(path, {
    tally,
    report: ({ code }) => void (codes[code] = (codes[code] ?? 0) + 1),
  });
  for await (const batch of batches) events += batch.length;
  const [, kib] = Deno.readTextFileSync("/proc/self/status").match(/VmHWM:\s+(\d+) kB/) ?? [];
  return {
    events,
    codes,
    adds_up: tally.events + tally.damage + tally.blank === tally.bytes,
    bytes: tally.bytes,
    peak_mib: Number(kib) / 1024,
  };
}

if (import.meta.main) {
  const peak = await readPeak(Deno.args[0] ?? "");
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(peak)));
}
