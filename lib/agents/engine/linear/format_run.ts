/** Runs a format over records, one after another, and takes the events that it makes. */
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

/** Options of a run: those of the read, with the thread's whole id, and where its numbers begin. */
type FormatRunOptions =
  & Pick<AgentReadOptions, "needs" | "report" | "account" | "thread">
  & EventWriterOptions;

/**
 * One pass of a format. The last record waits until it is known to be the last: a format may tell it
 * apart.
 */
export class FormatRun<Writer extends EventSink = EventWriter> {
  readonly reading: CountedReading<Writer>;
  readonly #format: SessionFormat<unknown, unknown, Writer>;
  readonly #account: AgentReadOptions["account"];
  #state: unknown;
  #begun = false;
  #waiting: SourceRecord | undefined;
  /** The last record whose events were made. */
  #passed: SourceRecord | undefined;
  /** The context for each record: made once, because there are very many. */
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

  /** Continues from a saved state, or at a record that stands alone. */
  async goOn(saved?: unknown): Promise<void> {
    const { startState, restoreState = restoredState } = this.#format;
    this.#state = saved === undefined
      ? await startState?.(this.reading) ?? null
      : await restoreState(saved, this.reading);
    this.#begun = true;
  }

  /** Makes the events of records, except the last one. */
  async take(records: readonly SourceRecord[]): Promise<void> {
    if (!this.#begun && records.length > 0) await this.#begin(records[0]);
    for (const record of records) {
      this.#passWaiting(false);
      this.#waiting = record;
    }
  }

  /** Makes the events of the waiting record, where the records behind it are not read. */
  flush(): void {
    this.#passWaiting(false);
  }

  /** Makes the events of the last record, and those that only the end tells. */
  async end(): Promise<void> {
    this.#passWaiting(true);
    if (!this.#begun) await this.#begin(undefined);
    this.#format.end?.(this.#state, this.reading);
  }

  /** Returns the place behind the last record whose events were made, where a read can go on. */
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
    // The source counts a line of several parts, another session what is inherited of it.
    if (part !== undefined || inherited) return;
    if (side === undefined) count(this.#account, "events", weight);
    else countSide(this.#account, side, weight);
  }
}

/** A pass of a format that makes events. */
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
