/**
 * Orders the events of several logs turn by turn, by the time at which each turn began. Turns are
 * never interleaved, because a call would lose its result. Each log's own order stays, even if its
 * clock jumped. A merged event gets new ids, and no longer affects the other sessions' events.
 */
import type { InvalidEvent, KnownEvent } from "../../event/envelope.ts";
import type { Content } from "../../event/message.ts";
import type { CompactionAppliedPayload, EventKind } from "../../event/payload.ts";
import { isEventKind, TRANSCRIPT_KINDS } from "../../event/policy.ts";
import { present } from "../../event/present.ts";
import type { ReadEvent } from "../session_line.ts";

export interface PlacedEvent {
  event: ReadEvent;
  /** Index of the event's log among the given logs. */
  index: number;
}

class LogCursor {
  readonly index: number;
  readonly #batches: AsyncIterator<readonly ReadEvent[]>;
  #events: readonly ReadEvent[] = [];
  #at = 0;
  #turn: string | undefined;
  /** The greatest time so far. If a clock went back, events keep the order of their log. */
  time = -Infinity;

  constructor(index: number, batches: AsyncIterable<readonly ReadEvent[]>) {
    this.index = index;
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** The next event. Undefined at the end of a batch until `fill` ran, and at the log's end. */
  get next(): ReadEvent | undefined {
    return this.#events[this.#at];
  }

  async fill(): Promise<void> {
    while (this.#at >= this.#events.length) {
      const { done, value } = await this.#batches.next();
      if (done) return;
      this.#events = value;
      this.#at = 0;
      this.#look();
    }
  }

  /** Adds the turn's events of this batch to `taken`. `begun` is true after the first batch. */
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
    // Events about the session, such as its beginning, may be days apart from the conversation.
    if (next === undefined || !tellsTime(next)) return;
    const time = Date.parse(next.time ?? "");
    if (time > this.time) this.time = time;
  }
}

/** True if an event can begin or end a turn. A call's end cannot, as it may come turns later. */
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

function earliest(cursors: readonly LogCursor[]): LogCursor | undefined {
  let found: LogCursor | undefined;
  for (const cursor of cursors) {
    if (cursor.next === undefined) continue;
    if (found === undefined || cursor.time < found.time) found = cursor;
  }
  return found;
}

/** Yields the events of one turn, one array for each batch. */
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

/** Yields events of several logs by turn, in order of the turns' starts. Reads on demand. */
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

/** Event kinds about one session or its conversation. In a merged session they would be wrong. */
const ABOUT_SESSION: ReadonlySet<string> = new Set<EventKind>([
  "conversation_branched",
  "conversation_replaced",
  "event_labeled",
  "session_started",
  "session_renamed",
  "session_archived",
  "session_closed",
]);

/** True for a checkpoint, which a merge drops because it sums up another log. */
export function isLeftOut({ kind }: { kind: string }): boolean {
  return kind === "session_checkpoint";
}

/** Converts an event for the merged session, but leaves its sequence number unchanged. */
export function toMerged(event: ReadEvent, prefix: string): ReadEvent {
  const labelled = withTurn(event, prefix);
  if (labelled.form === "unknown") return labelled;
  if (ABOUT_SESSION.has(event.kind)) return asExtension(labelled);
  return labelled.form === "known" ? withIds(labelled, prefix) : labelled;
}

function withTurn(event: ReadEvent, prefix: string): ReadEvent {
  // In an invalid event, `turn_id` may not be a string.
  return typeof event.turn_id === "string" ? { ...event, turn_id: prefix + event.turn_id } : event;
}

/** Converts an event to an extension, so that it does not begin, name or end the merged session. */
function asExtension(event: KnownEvent | InvalidEvent): KnownEvent {
  const { form, kind, payload, ...labels } = event;
  if (form === "invalid") delete (labels as { reason?: string }).reason;
  const data = { agent: "reprise", type: kind, data: payload ?? {} };
  return { ...labels, form: "known", kind: "extension", payload: data };
}

function withIds(event: KnownEvent, prefix: string): KnownEvent {
  switch (event.kind) {
    case "compaction_applied":
      return { ...event, payload: statusOnly(event.payload) };
    case "user_message":
      return { ...event, payload: withContent(event.payload, prefix) };
    case "assistant_message":
    case "assistant_interrupted":
      return { ...event, payload: named(withContent(event.payload, prefix), prefix) } as KnownEvent;
    case "reasoning_message":
    case "tool_start":
    case "tool_end":
    case "bash_start":
    case "bash_end":
    case "diff":
      return { ...event, payload: named(event.payload, prefix) } as KnownEvent;
    default:
      return event;
  }
}

/** Removes a compaction's effect, so that the model gets the messages of all sessions. */
function statusOnly(payload: CompactionAppliedPayload): CompactionAppliedPayload {
  const { messages: _messages, first_kept_seq: _kept, summary, status, ...rest } = payload;
  // Without a status, the user saw the summary.
  const shown = status === "" && summary !== undefined ? "Conversation compacted." : status;
  return { ...rest, status: shown, status_only: true };
}

function withContent<Payload extends { content: Content }>(
  payload: Payload,
  prefix: string,
): Payload {
  return { ...payload, content: namedParts(payload.content, prefix) };
}

function namedParts(content: Content, prefix: string): Content {
  if (typeof content === "string") return content;
  return content.map((part) => "call_id" in part ? named(part, prefix) : part);
}

/** Prefixes call and message ids with `prefix`, because sessions may use the same ids. */
function named<Payload extends { call_id?: string; message_id?: string }>(
  payload: Payload,
  prefix: string,
): Payload {
  if (prefix === "") return payload;
  const { call_id, message_id } = payload;
  return {
    ...payload,
    ...present({
      call_id: call_id === undefined ? undefined : prefix + call_id,
      message_id: message_id === undefined ? undefined : prefix + message_id,
    }),
  };
}
