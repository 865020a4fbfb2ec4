/**
 * The contract of a format, which converts an agent's records to events. From a format, the engine
 * makes a reader with summaries, tails and resume points.
 *
 * An agent supplies four functions. `source` opens the records. `begin` emits the first events, and
 * `emit` the events of one record. `end` emits the events that only the session's end shows. `emit`
 * carries the format's state, which is plain data, from record to record.
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
import type { LineSkip } from "./records/taken_lines.ts";
import type { RecordSource, SourcePosition } from "./sources/record_source.ts";

/** The result of `emit` for a record that is counted later, when another record shows its type. */
export const LATER = Symbol("later");

export interface FormatReading<Writer extends EventSink = EventWriter> {
  readonly session: AgentSession;
  readonly thread: string;
  readonly writer: Writer;
  readonly report: Report | undefined;
}

export interface CountedReading<Writer extends EventSink = EventWriter>
  extends FormatReading<Writer> {
  /** Counts a record for which `emit` returned `LATER`: under its type `side`, or as an event. */
  count(record: SourceRecord, side?: string): void;
}

export interface RecordContext<Writer extends EventSink = EventWriter>
  extends CountedReading<Writer> {
  /** True for the last record that the source has so far. */
  readonly last: boolean;
}

export interface FormatThread extends SessionThread {
  /** Session to read and summarize for this thread. @default {the session given to `threads`} */
  readonly session?: AgentSession;
  /** The thread's id in `session`. @default {the main thread} */
  readonly thread?: string;
  /** Ids of the thread's records. Each of these ids can name the thread. */
  readonly record_ids?: readonly string[];
  /**
   * Reads the records that only this thread has, to find the thread's title, time and tokens.
   * Absent if all of these facts are known.
   */
  own?(): AsyncIterable<readonly SourceRecord[]> | Iterable<readonly SourceRecord[]>;
}

/**
 * One agent's storage format. The engine derives everything else. `State` is the data that is
 * carried from record to record. `Saved` is the part of the state that a resume point stores, as
 * JSON. A format that can write to any `EventSink` also gives messages without events: see
 * `messageReader`.
 */
export interface SessionFormat<
  State = unknown,
  Saved = unknown,
  Writer extends EventSink = EventWriter,
> {
  source(session: AgentSession, thread: string): RecordSource;
  /**
   * Returns a function that recognizes unneeded lines by their first bytes, and names the type of
   * their records. These lines are counted, but not parsed. @default {all lines are parsed}
   *
   * @param said The needed kinds, if only the model's messages are needed, without tokens and event
   * numbers. Undefined if everything in the events is needed.
   */
  skips?(said: ReadonlySet<EventKind> | undefined): LineSkip;
  /**
   * Returns the threads of a session, the main thread first. Without this method, the main thread
   * is the only one.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  threads?(session: AgentSession): Promise<readonly FormatThread[]>;
  /**
   * Returns a session whose main thread is `thread`, which is a thread of `session`. Formats that
   * find one thread without listing all threads have this method instead of `threads`.
   *
   * @throws {SessionError} `not-found`, `ambiguous`, or an error of reading the session
   */
  holderOf?(session: AgentSession, thread: string): AgentSession;
  /**
   * True if no record after the position changes earlier records or begins a thread. Other
   * processes can then resume at the position. In a file with several threads, each thread must end
   * at such a record.
   */
  stands?(session: AgentSession, position: SourcePosition): Promise<boolean>;
  /** Finds the thread of a record. Needed if threads do not list the ids of their records. */
  threadWith?(session: AgentSession, record_id: string): Promise<FormatThread | undefined>;
  /**
   * Emits the session's first events, and returns the state before the first record.
   *
   * @param first The first record. Undefined if there is no record.
   */
  begin(reading: CountedReading<Writer>, first: SourceRecord | undefined): State | Promise<State>;
  /**
   * Emits the events of one record.
   *
   * @returns The record's type, if the record is outside the conversation and counted by its type.
   * `LATER` if a later record shows the type.
   */
  emit(
    record: SourceRecord,
    state: State,
    context: RecordContext<Writer>,
  ): string | typeof LATER | void;
  /**
   * Emits two adjacent records together, such as a call and its output. Returns false if each
   * record must be emitted by itself. @default {false}
   */
  emitPair?(first: SourceRecord, second: SourceRecord, state: State): boolean;
  /** Emits the events that are only known at the session's end. */
  end?(state: State, reading: CountedReading<Writer>): void;
  /**
   * True if the events from this record on need no earlier record. A session's tail begins at such
   * a record, for example a prompt.
   */
  standsAlone(record: SourceRecord, thread: string): boolean;
  /**
   * True if a read of the session's end with a size limit may begin at this record, within a turn.
   * Earlier calls and tokens are then unknown. @default {none}
   */
  beginsAmid?(record: SourceRecord): boolean;
  /**
   * True if the record's events need all earlier records. An example is a compaction that repeats
   * the prompts. A read of the session's end begins after this record. @default {none}
   */
  needsBefore?(record: SourceRecord): boolean;
  /** Text in the line of each record that renames the session. @default {no record does} */
  renames?: string;
  /**
   * True if the last turn in some records did not end, false if it ended. Undefined if the records
   * do not show this. Without this method, the events show it.
   */
  leavesOpen?(records: readonly SourceRecord[]): boolean | undefined;
  /**
   * Returns the state of a read that begins at a record which `standsAlone` accepts.
   * @default {null}
   */
  startState?(reading: CountedReading<Writer>): State | Promise<State>;
  /**
   * Returns data from which a read can resume. Undefined if no read can resume here, for example
   * within an answer. Later records do not change the data. @default {a copy of the state}
   */
  saveState?(state: State): Saved | undefined;
  /** Returns the state from saved data. @default {a copy of what was saved} */
  restoreState?(saved: Saved, reading: CountedReading<Writer>): State | Promise<State>;
}

export function savedState(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state, (_key, value) => {
    if (value instanceof Map) return { $map: [...value] };
    return value instanceof Set ? { $set: [...value] } : value;
  }));
}

export function restoredState<State>(saved: unknown): State {
  return JSON.parse(JSON.stringify(saved), (_key, value) => {
    if (Array.isArray(value?.$map)) return new Map(value.$map);
    return Array.isArray(value?.$set) ? new Set(value.$set) : value;
  });
}
