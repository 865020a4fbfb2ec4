/**
 * The contract of a format: how an agent's records become events. The engine makes a reader of it:
 * the summary, the tail, and places to begin again.
 *
 * An agent supplies four functions. `source` opens the records. `begin` emits the head, `emit` the
 * events of one record, `end` those that only the end tells. What `emit` carries from record to
 * record is the format's state: plain data.
 *
 * @example The smallest format: a line is a prompt or an answer.
 * ```ts ignore
 * const format: SessionFormat<null> = {
 *   source: ({ path }) => lineSource(path),
 *   begin({ session, writer }, first): null {
 *     const created_at = isoTime(first?.value.time) ?? "";
 *     writer.emit("session_started", { session_id: session.id, created_at, cwd: "" });
 *     return null;
 *   },
 *   emit(record, _state, { writer }): void {
 *     const { value } = record;
 *     const kind = value.role === "user" ? "user_message" : "assistant_message";
 *     writer.emit(kind, { content: asText(value.text) ?? "" }, { time: value.time, record });
 *   },
 *   standsAlone: ({ value }) => value.role === "user",
 * };
 * ```
 *
 * @module
 */
import type { EventKind } from "../../core/event/payload.ts";
import type { Report } from "../../core/log/diagnostic.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { SessionThread } from "../../core/projection/session_thread.ts";
import type { EventSink, EventWriter } from "./events/event_writer.ts";
import type { SourceRecord } from "./records/source_record.ts";
import type { RecordSource, SourcePosition } from "./sources/record_source.ts";

/** Returned by `emit` for a record that is counted once a later record tells what it is. */
export const LATER = Symbol("later");

/** One reading of a session: its session, thread and writer. */
export interface FormatReading<Writer extends EventSink = EventWriter> {
  readonly session: AgentSession;
  readonly thread: string;
  readonly writer: Writer;
  /** Receives what is wrong in the source. */
  readonly report: Report | undefined;
}

/** A reading whose records are counted. */
export interface CountedReading<Writer extends EventSink = EventWriter>
  extends FormatReading<Writer> {
  /** Counts a record of {@linkcode LATER}; `side` is its type where it is no part of the talk. */
  count(record: SourceRecord, side?: string): void;
}

/** A reading, and the place of one record in it. */
export interface RecordContext<Writer extends EventSink = EventWriter>
  extends CountedReading<Writer> {
  /** True for the last record of the source, as far as it is written. */
  readonly last: boolean;
}

/** A thread as its format knows it. */
export interface FormatThread extends SessionThread {
  /** The session whose file holds it, where that is another one; its summary describes the thread. */
  readonly session?: AgentSession;
  /** Its id in that session. @default {the main thread} */
  readonly thread?: string;
  /** Ids of its records: each names the thread too. */
  readonly record_ids?: readonly string[];
  /**
   * Reads the records that only it has. The engine makes the title, the time and the tokens of them.
   * Absent where all of these are known.
   */
  own?(): AsyncIterable<readonly SourceRecord[]> | Iterable<readonly SourceRecord[]>;
}

/**
 * One agent's storage format. The engine derives everything else. `State` is what is carried from
 * record to record; `Saved` is what a place keeps of it, as JSON. A format that writes to any
 * `EventSink` gives messages without events in between, too: see `messageReader`.
 */
export interface SessionFormat<
  State = unknown,
  Saved = unknown,
  Writer extends EventSink = EventWriter,
> {
  source(session: AgentSession, thread: string): RecordSource;
  /**
   * Returns a scanner that names the type of a line by its first bytes, if its record is not
   * needed. Such a line is counted, and not parsed. @default {all are parsed}
   *
   * @param said The kinds that are wanted, where only what the model gets of them is: no tokens, and
   * no numbers of events. Undefined where all that events tell is wanted.
   */
  skips?(said: ReadonlySet<EventKind> | undefined): (line: Uint8Array) => string | undefined;
  /**
   * Returns the threads of a session, the main one first. Without it there is only the main one.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  threads?(session: AgentSession): Promise<readonly FormatThread[]>;
  /**
   * Returns the session whose main thread is a thread of this one, by the thread's name. For a format
   * that finds one thread without listing all, instead of `threads`.
   *
   * @throws {SessionError} `not-found`, `ambiguous`; as reading the session
   */
  holderOf?(session: AgentSession, thread: string): AgentSession;
  /**
   * True if no record behind a position changes what was before it, or begins a thread. With this
   * method, places last in a format whose threads are in other files or end with such records.
   */
  stands?(session: AgentSession, position: SourcePosition): Promise<boolean>;
  /** Finds the thread that a record is on, where threads do not list the ids of their records. */
  threadWith?(session: AgentSession, record_id: string): Promise<FormatThread | undefined>;
  /**
   * Emits the head and returns the state that the records need.
   *
   * @param first The first record; undefined where there is none.
   */
  begin(reading: CountedReading<Writer>, first: SourceRecord | undefined): State | Promise<State>;
  /**
   * Emits the events of one record.
   *
   * @returns The type of a record that is no part of the talk; its bytes are counted as such.
   */
  emit(
    record: SourceRecord,
    state: State,
    context: RecordContext<Writer>,
  ): string | typeof LATER | void;
  /** Emits what only the end of the session tells. */
  end?(state: State, reading: CountedReading<Writer>): void;
  /**
   * True for a record from which on no event needs earlier records: usually a prompt. The tail of a
   * session begins with one.
   */
  standsAlone(record: SourceRecord, thread: string): boolean;
  /**
   * True for a record with which a tail of bounded bytes may begin, too, amid a turn. Calls and tokens
   * of the records before it are not known then. @default {none}
   */
  beginsAmid?(record: SourceRecord): boolean;
  /**
   * True for a record whose events need everything before it, such as a compaction that repeats the
   * prompts. The tail of a session begins behind it. @default {none}
   */
  needsBefore?(record: SourceRecord): boolean;
  /** Text in the line of each record that renames the session. @default {none does} */
  renames?: string;
  /**
   * True if the last of some records leave their turn open, false if they end it. Undefined if the
   * records do not tell. Absent if the events tell.
   */
  leavesOpen?(records: readonly SourceRecord[]): boolean | undefined;
  /** Returns the state of a read that begins at a record that stands alone. @default {null} */
  startState?(reading: CountedReading<Writer>): State | Promise<State>;
  /**
   * Returns what a read needs to go on; undefined while it cannot, as amid an answer. It is not
   * changed by what follows. @default {a copy of the state}
   */
  saveState?(state: State): Saved | undefined;
  /** Returns the state that was saved. @default {a copy of what was saved} */
  restoreState?(saved: Saved, reading: CountedReading<Writer>): State | Promise<State>;
}

/** Returns a copy of a state as JSON, which later changes do not touch. */
export function savedState(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state, (_key, value) => {
    if (value instanceof Map) return { $map: [...value] };
    return value instanceof Set ? { $set: [...value] } : value;
  }));
}

/** Returns a copy of the saved state. */
export function restoredState<State>(saved: unknown): State {
  return JSON.parse(JSON.stringify(saved), (_key, value) => {
    if (Array.isArray(value?.$map)) return new Map(value.$map);
    return Array.isArray(value?.$set) ? new Set(value.$set) : value;
  });
}
