/**
 * Writing the logs that are measured.
 */
import { encodeEvent } from "../../lib/core/event/encode.ts";
import type { Event, NewEvent } from "../../lib/core/event/envelope.ts";
import { writeWhole } from "../../lib/core/log/write_whole.ts";
import {
  applySummary,
  summary,
  type SummaryState,
  toCheckpoint,
} from "../../lib/core/projection/summary.ts";
import { countLine, emptyCounts, type LineCounts, type LogShape, logShape } from "./log_shape.ts";
import { seededRandom } from "./random.ts";
import { type EventSource, firstEvent, sessionEvents } from "./session_events.ts";
import { textPool } from "./text_pool.ts";

const SEED = 20261121;
const START = new Date("2026-11-21T08:00:00.000Z");
const SESSION_ID = "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48";
const CWD = "/home/ada/src/ledger";
/** Milliseconds from event to event. */
const PACE = 700;
const BLOCK_BYTES = 1024 * 1024;
/** Bytes between two checkpoints, as a session leaves them. */
const CHECKPOINT_BYTES = 256 * 1024;
/** Events behind the compaction of {@linkcode withCompaction}. */
export const TAIL_EVENTS = 200;
const KEPT_EVENTS = 100;

/** A log in the making: numbers, times and checkpoints as a session gives them. */
class BenchLog {
  readonly counts: LineCounts = emptyCounts();
  readonly #file: Deno.FsFile;
  readonly #start: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #state: SummaryState = summary().initial();
  #sinceCheckpoint = 0;
  #seq: number;

  constructor(file: Deno.FsFile, start: Date, seq = 0) {
    this.#file = file;
    this.#start = start.getTime();
    this.#seq = seq;
  }

  append(event: NewEvent): void {
    this.#write(event);
    if (this.#sinceCheckpoint >= CHECKPOINT_BYTES) this.checkpoint();
  }

  checkpoint(): void {
    this.#sinceCheckpoint = 0;
    this.#write({ kind: "session_checkpoint", payload: toCheckpoint(this.#state) });
  }

  flush(): void {
    const block = new Uint8Array(this.#pendingBytes);
    let at = 0;
    for (const line of this.#pending) {
      block.set(line, at);
      at += line.length;
    }
    writeWhole(this.#file, block);
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #write(event: NewEvent): void {
    const seq = ++this.#seq;
    const time = new Date(this.#start + seq * PACE).toISOString();
    const numbered = { ...event, seq, time } as Event;
    const line = encodeEvent(numbered);
    this.#state = applySummary(this.#state, { ...numbered, form: "known", integrity: "verified" });
    this.#sinceCheckpoint += line.length;
    countLine(this.counts, event.kind, line);
    this.#pending.push(line);
    this.#pendingBytes += line.length;
    if (this.#pendingBytes >= BLOCK_BYTES) this.flush();
  }
}

/** What a bench log is like beside its size. */
export interface BenchLogOptions {
  /** All of it is one turn, which begins with a call that never settles. @default {false} */
  unsettled?: boolean;
}

const UNSETTLED_CALL: readonly NewEvent[] = [
  {
    kind: "assistant_message",
    turn_id: "t1",
    payload: { content: [{ type: "tool_call", call_id: "never", name: "task", input: {} }] },
  },
  { kind: "tool_start", turn_id: "t1", payload: { call_id: "never" } },
];

/** Writes a log of at least `bytes` that never compacts: the same one each time. */
export function writeBenchLog(
  path: string,
  bytes: number,
  { unsettled = false }: BenchLogOptions = {},
): LogShape {
  const random = seededRandom(SEED);
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  const log = new BenchLog(file, START);
  log.append(firstEvent(SESSION_ID, START, CWD));
  if (unsettled) { for (const event of UNSETTLED_CALL) log.append(event); }
  for (const event of sessionEvents({ random, text: textPool(random) })) {
    log.append(unsettled ? { ...event, turn_id: "t1" } : event);
    if (log.counts.bytes >= bytes) break;
  }
  log.flush();
  return logShape(log.counts);
}

/** A session of a store. */
export interface SessionLog {
  source: EventSource;
  bytes: number;
  session_id: string;
  created: Date;
  cwd: string;
  /** Whether it ends in a checkpoint and `session_closed`. */
  closed: boolean;
}

/** Writes a session's log, of about `bytes`. */
export function writeSessionLog(path: string, session: SessionLog): void {
  const { source, bytes, session_id, created, cwd, closed } = session;
  using file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
  const log = new BenchLog(file, created);
  log.append(firstEvent(session_id, created, cwd));
  for (const event of sessionEvents({ longest: bytes / 8, ...source })) {
    log.append(event);
    if (log.counts.bytes >= bytes * 0.95) break;
  }
  if (closed) {
    log.checkpoint();
    log.append({ kind: "session_closed", payload: { status: "completed" } });
  }
  log.flush();
}

/** Runs `measure` while the log ends in a compaction and 200 events more; puts it back after. */
export async function withCompaction<Result>(
  path: string,
  last_seq: number,
  measure: () => Promise<Result>,
): Promise<Result> {
  const { size } = Deno.statSync(path);
  try {
    appendTail(path, last_seq);
    return await measure();
  } finally {
    Deno.truncateSync(path, size);
  }
}

function appendTail(path: string, last_seq: number): void {
  const random = seededRandom(SEED + 1);
  const text = textPool(random);
  using file = Deno.openSync(path, { append: true });
  const log = new BenchLog(file, START, last_seq);
  const first_kept_seq = last_seq - KEPT_EVENTS;
  const payload = { status: "Compacted", summary: text(3000), first_kept_seq };
  log.append({ kind: "compaction_applied", payload });
  let count = 0;
  for (const event of sessionEvents({ random, text })) {
    if (count++ === TAIL_EVENTS) break;
    log.append(event);
  }
  log.flush();
}
