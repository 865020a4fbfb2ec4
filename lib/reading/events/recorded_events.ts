/** Makes the events of a session from the records of its file, one after another. */
import type { LogEvent } from "../../event/envelope.ts";
import { count } from "../../source/source_account.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import type { EventWriter } from "./event_writer.ts";
import { readRecords } from "../records/jsonl_records.ts";
import type { SourceRecord } from "../records/source_record.ts";

/** Takes the records of a session, in their order. */
export interface RecordTaker {
  /** Holds the events that were made and not given yet. */
  readonly writer: EventWriter;
  /** Adds the events of a record. */
  take(record: SourceRecord): void;
  /** Adds what only the end of the session tells. */
  end(): void;
}

/** Reads the events of a session's file, and counts each record as events. */
export async function* recordedEvents(
  { path }: AgentSession,
  taker: RecordTaker,
  { account, report, signal }: AgentReadOptions,
): AsyncGenerator<LogEvent[]> {
  for await (const records of readRecords(path, { account, report, signal })) {
    for (const record of records) {
      taker.take(record);
      count(account, "events", record.position.length);
    }
    const batch = taker.writer.take();
    if (batch.length > 0) yield batch;
  }
  taker.end();
  const rest = taker.writer.take();
  if (rest.length > 0) yield rest;
}
