/** Converts records to events by a format, one record after another. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { count, countSide } from "../../contract/source_account.ts";
import type { AgentReadOptions, AgentSession } from "../../contract/agent.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { type EventSink, EventWriter, type EventWriterOptions } from "../events/event_writer.ts";
import { present } from "../json.ts";
import type { SourceRecord } from "../records/source_record.ts";
import {
  type CountedReading,
  LATER,
  type RecordContext,
  restoredState,
  savedState,
  type SessionFormat,
} from "../session_format.ts";
import { positionBehind, type SourcePosition } from "../sources/record_source.ts";

/** Options of a run. `thread` is the thread's full id. */
type FormatRunOptions =
  & Pick<AgentReadOptions, "needs" | "report" | "account" | "thread">
  & EventWriterOptions;

/**
 * Converts the records of a session by a format. Holds back each record until the next record or
 * the session's end, because formats may treat the last record specially.
 */
export class FormatRun<Writer extends EventSink = EventWriter> {
  readonly reading: CountedReading<Writer>;
  readonly #format: SessionFormat<unknown, unknown, Writer>;
  readonly #account: AgentReadOptions["account"];
  #state: unknown;
  #begun = false;
  #waiting: SourceRecord | undefined;
  /** The last record whose events were emitted. */
  #passed: SourceRecord | undefined;
  /**
   * The context of all records except the last. They share one object, because there are very many
   * records.
   */
  readonly #context: RecordContext<Writer>;

  constructor(
    format: SessionFormat<unknown, unknown, Writer>,
    session: AgentSession,
    writer: Writer,
    { report, account, thread = MAIN_THREAD }: Omit<FormatRunOptions, "needs">,
  ) {
    this.#format = format;
    this.#account = account;
    const counted = (record: SourceRecord, side?: string): void => this.#count(record, side);
    this.reading = { session, thread, writer, report, count: counted };
    this.#context = { ...this.reading, last: false };
  }

  /** Resumes from a saved state or, without one, at a record that needs no earlier records. */
  async goOn(saved?: unknown): Promise<void> {
    const { startState, restoreState = restoredState } = this.#format;
    this.#state = saved === undefined
      ? await startState?.(this.reading) ?? null
      : await restoreState(saved, this.reading);
    this.#begun = true;
  }

  async take(records: readonly SourceRecord[]): Promise<void> {
    if (!this.#begun && records.length > 0) await this.#begin(records[0]);
    for (const record of records) {
      if (this.#passPair(record)) continue;
      this.#passWaiting(false);
      this.#waiting = record;
    }
  }

  /** Emits the events of the record that was held back. Used if no later records are read. */
  flush(): void {
    this.#passWaiting(false);
  }

  async end(): Promise<void> {
    this.#passWaiting(true);
    if (!this.#begun) await this.#begin(undefined);
    this.#format.end?.(this.#state, this.reading);
  }

  /**
   * Returns the position and state after the last emitted record. Undefined if no read can resume
   * there.
   */
  place(): { position: SourcePosition; state: unknown } | undefined {
    const position = this.#passed && positionBehind(this.#passed);
    if (position === undefined) return undefined;
    const { saveState = savedState } = this.#format;
    const state = saveState(this.#state);
    return state === undefined ? undefined : { position, state };
  }

  async #begin(first: SourceRecord | undefined): Promise<void> {
    this.#begun = true;
    this.#state = await this.#format.begin(this.reading, first);
  }

  #passPair(record: SourceRecord): boolean {
    const { emitPair } = this.#format;
    const waiting = this.#waiting;
    if (emitPair === undefined || waiting === undefined) {
      return false;
    }
    if (!emitPair(waiting, record, this.#state)) return false;
    this.#waiting = undefined;
    this.#passed = record;
    return true;
  }

  #passWaiting(last: boolean): void {
    const record = this.#waiting;
    if (record === undefined) return;
    this.#waiting = undefined;
    const context = last ? { ...this.reading, last } : this.#context;
    const side = this.#format.emit(record, this.#state, context);
    if (side !== LATER) this.#count(record, side);
    this.#passed = record;
  }

  #count(
    { position, weight = position.length, part, inherited }: SourceRecord,
    side: string | void,
  ): void {
    // The source counts a line of several parts. Another session counts the records inherited from
    // it.
    if (part !== undefined || inherited) return;
    if (side === undefined) count(this.#account, "events", weight);
    else countSide(this.#account, side, weight);
  }
}

export class EventRun extends FormatRun {
  constructor(format: SessionFormat, session: AgentSession, options: FormatRunOptions) {
    const { needs, behind, named, before } = options;
    super(
      format,
      session,
      new EventWriter(session, needs, present({ behind, named, before })),
      options,
    );
  }

  events(): LogEvent[] {
    return this.reading.writer.take();
  }
}
