/**
 * Writing the logs that are measured.
 */
import { encodeEvent } from "../../lib/event/encode.ts";
import type { Event, NewEvent } from "../../lib/event/envelope.ts";
import {
  applySummary,
  summary,
  type SummaryState,
  toCheckpoint,
} from "../../lib/projection/summary.ts";
import { writeWhole } from "../../lib/log/write_whole.ts";
import { countLine, emptyCounts, type LineCounts, type LogShape, logShape } from "./log_shape.ts";
import { seededRandom } from "./random.ts";
import { firstEvent, sessionEvents } from "./session_events.ts";
import { textPool } from "./text_pool.ts";

const SEED = 20261121;
const START = Date.parse("2026-11-21T08:00:00.000Z");
const SESSION_ID = "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48";
const BLOCK_BYTES = 1024 * 1024;
/** Bytes between two checkpoints, as a session leaves them. */
const CHECKPOINT_BYTES = 256 * 1024;
/** Events of the tail behind the compaction. */
export const TAIL_EVENTS = 200;

/** A log in the making: numbers, times and checkpoints as a session gives them. */
class BenchLog {
  readonly counts: LineCounts = emptyCounts();
  readonly #file: Deno.FsFile;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;
  #state: SummaryState = summary().initial();
  #sinceCheckpoint = 0;
  #seq: number;

  constructor(file: Deno.FsFile, seq = 0) {
    this.#file = file;
    this.#seq = seq;
  }

  append(event: NewEvent): void {
    this.#write(event);
    if (this.#sinceCheckpoint < CHECKPOINT_BYTES) return;
    this.#sinceCheckpoint = 0;
    this.#write({ kind: "session_checkpoint", payload: toCheckpoint(this.#state) });
  }

  flush(): void {
    writeWhole(this.#file, this.#block.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #write(event: NewEvent): void {
    const seq = ++this.#seq;
    const numbered = { ...event, seq, time: new Date(START + seq * 700).toISOString() } as Event;
    const line = encodeEvent(numbered);
    this.#state = applySummary(this.#state, {
      ...numbered,
      form: "known",
      integrity: "verified",
    });
    this.#sinceCheckpoint += line.length;
    countLine(this.counts, event.kind, line);
    if (this.#filled + line.length > BLOCK_BYTES) this.flush();
    if (line.length > BLOCK_BYTES) return writeWhole(this.#file, line);
    this.#block.set(line, this.#filled);
    this.#filled += line.length;
  }
}

/** Writes a log of at least `bytes`: the same one each time. */
export function writeBenchLog(path: string, bytes: number): LogShape {
  const random = seededRandom(SEED);
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  const log = new BenchLog(file);
  const first = firstEvent(SESSION_ID, new Date(START).toISOString(), "/home/ada/src");
  log.append(first as NewEvent);
  for (const event of sessionEvents({ random, text: textPool(random) })) {
    log.append(event);
    if (log.counts.bytes >= bytes) break;
  }
  log.flush();
  return logShape(log.counts);
}

/** Runs `measure` while the log ends in a compaction and 200 events more; puts it back after. */
export async function withCompaction<Result>(
  path: string,
  events: number,
  measure: () => Promise<Result>,
): Promise<Result> {
  const { size } = Deno.statSync(path);
  appendTail(path, events);
  try {
    return await measure();
  } finally {
    Deno.truncateSync(path, size);
  }
}

function appendTail(path: string, seq: number): void {
  const random = seededRandom(SEED + 1);
  const text = textPool(random);
  using file = Deno.openSync(path, { append: true });
  const log = new BenchLog(file, seq);
  const payload = { status: "Compacted", summary: text(3000), first_kept_seq: seq - 100 };
  log.append({ kind: "compaction_applied", payload });
  let count = 0;
  for (const event of sessionEvents({ random, text })) {
    if (count++ === TAIL_EVENTS) break;
    log.append(event);
  }
  log.flush();
}
