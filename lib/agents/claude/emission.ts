/** The state between records while a Claude Code session is converted to events. */
import { type EventOrigin, type EventSink, NOWHERE } from "../../reading/events/event_writer.ts";
import { asName, asObject } from "../../reading/json_value.ts";
import { OpenCalls } from "./open_calls.ts";
import { recordId, type RecordIndex } from "./index/record_index.ts";
import type { StepRecord } from "./read_rows.ts";

/** A record of the dialogue with what it says. */
export interface DialogueRecord {
  row: number;
  record: StepRecord;
}

/** The state between one record and the next. */
export interface Emission {
  readonly writer: EventSink;
  readonly index: RecordIndex;
  /** The prompt that is being answered. */
  turn_id: string | undefined;
  /** True where reading began within a turn: until a prompt comes, nothing tells the turn. */
  amid_turn?: boolean;
  readonly calls: OpenCalls;
  /** Calls that have their result: some records are written twice. */
  readonly settled: Set<string>;
}

/** Starts to make events of the records of an index. */
export function startEmission(
  writer: EventSink,
  index: RecordIndex,
  calls = new OpenCalls(),
): Emission {
  return { writer, index, turn_id: undefined, calls, settled: new Set() };
}

/** Where the events of a record came from; of a record of which the message alone was read, nothing. */
export function originOf(emission: Emission, { row, record }: DialogueRecord): EventOrigin {
  const { value, position, salvaged } = record;
  if (position === undefined) return NOWHERE;
  const id = idOf(emission, { row, record });
  const place = salvaged === undefined ? { position } : { position, salvaged };
  return { id, time: value.timestamp, turn_id: emission.turn_id, record: place };
}

/** The id of a record. */
export function idOf({ index }: Emission, { row, record }: DialogueRecord): string {
  return asName(record.value.uuid) ?? recordId(index, row);
}

/** The id of the response that a record is part of. */
export function messageIdOf({ record: { value } }: DialogueRecord): string | undefined {
  return asName(asObject(value.message).id);
}

/** Adds what no kind of ours holds. */
export function emitExtension(
  { writer }: Emission,
  type: string,
  data: unknown,
  origin: EventOrigin,
): void {
  writer.emit("extension", { agent: "claude", type, data }, origin);
}
