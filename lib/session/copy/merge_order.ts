/**
 * Orders the events of several logs turn by turn, by the time at which each turn began. Turns are
 * never interleaved, because a call would lose its outcome. Each log's own order stays, even if its
 * clock jumped.
 */
import { isEventKind, TRANSCRIPT_KINDS } from "../../event/policy.ts";
import type { ReadEvent } from "../session_line.ts";

/** An event, and from which log it is. */
export interface PlacedEvent {
  event: ReadEvent;
  /** Place of its log among those that were given. */
  index: number;
}

/** One log as it is read, event by event. */
class LogCursor {
  readonly index: number;
  readonly #batches: AsyncIterator<readonly ReadEvent[]>;
  #events: readonly ReadEvent[] = [];
  #at = 0;
  #turn: string | undefined;
  /** The greatest time so far: where a clock went back, the log's order counts. */
  time = -Infinity;

  constructor(index: number, batches: AsyncIterable<readonly ReadEvent[]>) {
    this.index = index;
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** The next event; undefined at the end. */
  get next(): ReadEvent | undefined {
    return this.#events[this.#at];
  }

  /** Reads on where all that was read is taken. */
  async fill(): Promise<void> {
    while (this.#at >= this.#events.length) {
      const { done, value } = await this.#batches.next();
      if (done) return;
      this.#events = value;
      this.#at = 0;
      this.#look();
    }
  }

  /** Takes what was read of a turn: its rest may be in what comes next. */
  takeTurn(taken: PlacedEvent[], begun: boolean): void {
    for (let first = !begun; this.next !== undefined; first = false) {
      const event = this.next;
      if (!first && this.startsTurn(event)) return;
      if (countsForTurns(event)) {
        this.#turn = event.turn_id ?? (endsTurns(event) ? undefined : this.#turn);
      }
      taken.push({ event, index: this.index });
      this.#at++;
      this.#look();
    }
  }

  startsTurn(event: ReadEvent): boolean {
    if (!countsForTurns(event)) return false;
    const { turn_id } = event;
    return turn_id === undefined ? endsTurns(event) : turn_id !== this.#turn;
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }

  #look(): void {
    const { next } = this;
    // A head, an end, or what a merge kept of one may be of another day than what was said.
    if (next === undefined || !tellsTime(next)) return;
    const time = Date.parse(next.time ?? "");
    if (time > this.time) this.time = time;
  }
}

/** Turns begin and end as the transcript has them: a call settles late, and stays of its turn. */
function countsForTurns({ form, kind }: ReadEvent): boolean {
  return form === "known" && kind !== "tool_end" && kind !== "bash_end" &&
    TRANSCRIPT_KINDS.has(kind);
}

function tellsTime({ kind }: ReadEvent): boolean {
  return isEventKind(kind) && TRANSCRIPT_KINDS.has(kind) && !kind.startsWith("session_");
}

function endsTurns({ kind }: ReadEvent): boolean {
  return kind === "user_message" || kind === "session_closed";
}

/** The log whose next turn began first; of several, the one that was given first. */
function earliest(cursors: readonly LogCursor[]): LogCursor | undefined {
  let found: LogCursor | undefined;
  for (const cursor of cursors) {
    if (cursor.next === undefined) continue;
    if (found === undefined || cursor.time < found.time) found = cursor;
  }
  return found;
}

/** All of a turn, however it was read in batches. */
async function* wholeTurn(cursor: LogCursor): AsyncGenerator<PlacedEvent[]> {
  for (let begun = false;; begun = true) {
    const taken: PlacedEvent[] = [];
    cursor.takeTurn(taken, begun);
    if (taken.length > 0) yield taken;
    if (cursor.next !== undefined) return;
    await cursor.fill();
    if (cursor.next === undefined || cursor.startsTurn(cursor.next)) return;
  }
}

/** Gives the events of several logs in one order; each is read as far as it is needed. */
export async function* inMergedOrder(
  logs: readonly AsyncIterable<readonly ReadEvent[]>[],
): AsyncGenerator<PlacedEvent[]> {
  const cursors = logs.map((log, index) => new LogCursor(index, log));
  try {
    for (const cursor of cursors) await cursor.fill();
    for (let first = earliest(cursors); first !== undefined; first = earliest(cursors)) {
      yield* wholeTurn(first);
    }
  } finally {
    for (const cursor of cursors) await cursor.close();
  }
}
