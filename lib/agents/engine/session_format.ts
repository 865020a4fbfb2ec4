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
import type { LineSkip } from "./records/taken_lines.ts";
import type { RecordSource, SourcePosition } from "./sources/record_source.ts";

/** The result of `emit` for a record that is only counted when a later record shows what it is. */
export const LATER = Symbol("later");

/** The context of one read of a session. */
export interface FormatReading<Writer extends EventSink = EventWriter> {
  readonly session: AgentSession;
  readonly thread: string;
  readonly writer: Writer;
  /** Receives the faults found in the source. */
  readonly report: Report | undefined;
}

/** A read that also counts its records. */
export interface CountedReading<Writer extends EventSink = EventWriter>
  extends FormatReading<Writer> {
  /** Counts a record, as `emit` gave {@linkcode LATER}. `side`: its type outside the dialogue. */
  count(record: SourceRecord, side?: string): void;
}

/** A reading, and the place of one record in it. */
export interface RecordContext<Writer extends EventSink = EventWriter>
  extends CountedReading<Writer> {
  /** True for the last record that the source has so far. */
  readonly last: boolean;
}

/** A thread, with the facts that its format has of it. */
export interface FormatThread extends SessionThread {
  /** The session with the thread's file; its summary describes the thread. Absent for this one. */
  readonly session?: AgentSession;
  /** The thread's id in `session`. @default {the main thread} */
  readonly thread?: string;
  /** Ids of the thread's records, each of which can be used to name the thread. */
  readonly record_ids?: readonly string[];
  /**
   * Reads the records that are in this thread only. From them follow the thread's title, time and
   * tokens. Absent if all of these are known.
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
  skips?(said: ReadonlySet<EventKind> | undefined): LineSkip;
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
   * True if no record after the position changes earlier ones or begins a thread. A format with
   * this method gives lasting places if its threads are in other files, or end with such records.
   */
  stands?(session: AgentSession, position: SourcePosition): Promise<boolean>;
  /** Finds the thread of a record, if threads do not list the ids of their records. */
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
  /**
   * Takes two records that follow each other at once, such as a call and its output. Returns false
   * where each must be emitted. @default {false}
   */
  emitPair?(first: SourceRecord, second: SourceRecord, state: State): boolean;
  /** Emits the events that follow from the end of the session. */
  end?(state: State, reading: CountedReading<Writer>): void;
  /**
   * True if the events from this record on need no earlier record, as with a prompt. The tail of a
   * session begins at such a record.
   */
  standsAlone(record: SourceRecord, thread: string): boolean;
  /**
   * True if a tail with a size limit may also begin at this record, within a turn. Earlier calls
   * and tokens are then unknown. @default {none}
   */
  beginsAmid?(record: SourceRecord): boolean;
  /**
   * True if the record's events need all earlier records, such as a compaction that repeats the
   * prompts. A tail begins after such a record. @default {none}
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
   * Returns data from which a read can continue; undefined if it cannot, as within an answer. Later
   * records do not change the data. @default {a copy of the state}
   */
  saveState?(state: State): Saved | undefined;
  /** Returns the state from saved data. @default {a copy of what was saved} */
  restoreState?(saved: Saved, reading: CountedReading<Writer>): State | Promise<State>;
}

/** Returns a copy of a state as JSON data; maps and sets are converted. */
export function savedState(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state, (_key, value) => {
    if (value instanceof Map) return { $map: [...value] };
    return value instanceof Set ? { $set: [...value] } : value;
  }));
}

/** Returns the state, converted back from a copy of saved data. */
export function restoredState<State>(saved: unknown): State {
  return JSON.parse(JSON.stringify(saved), (_key, value) => {
    if (Array.isArray(value?.$map)) return new Map(value.$map);
    return Array.isArray(value?.$set) ? new Set(value.$set) : value;
  });
}
