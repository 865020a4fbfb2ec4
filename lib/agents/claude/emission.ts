/** The state between records while a Claude Code session is converted to events. */
import type { CallStatus } from "../../core/event/message.ts";
import { type EventOrigin, type EventSink, NOWHERE } from "../engine/events/event_writer.ts";
import { asName, asObject } from "../engine/json.ts";
import { recordId } from "../engine/tree/record_index.ts";
import type { TreeRecord } from "../engine/tree/tree_format.ts";
import type { ClaudeIndex } from "./index/claude_record.ts";

export interface DialogueRecord {
  row: number;
  record: TreeRecord;
}

export interface StartedCall {
  name: string;
  /** The file that the call changes. Undefined if the call's input names none. */
  file_path: string | undefined;
  /** The call's outcome, as known before the session was handed over to Claude Code. */
  told?: CallStatus | undefined;
}

export interface Emission {
  readonly writer: EventSink;
  readonly index: ClaudeIndex;
  /** Id of the prompt that is being answered. Undefined before the first prompt. */
  turn_id: string | undefined;
  /** True if reading began within a turn. Then the turn's id is unknown until the next prompt. */
  amid_turn?: boolean;
  /** The latest calls whose results have not been read, by call id. */
  readonly calls: Map<string, StartedCall>;
  /** Ids of the latest calls that have a result, because some results are written twice. */
  readonly settled: Set<string>;
}

export function startEmission(writer: EventSink, index: ClaudeIndex): Emission {
  return { writer, index, turn_id: undefined, calls: new Map(), settled: new Set() };
}

const MOST_CALLS = 256;

export function forgetOldest(calls: Map<string, unknown> | Set<string>): void {
  if (calls.size <= MOST_CALLS) return;
  const { value } = calls.keys().next();
  calls.delete(value as string);
}

/** Returns {@linkcode NOWHERE} if only the record's message was read. */
export function originOf(emission: Emission, item: DialogueRecord): EventOrigin {
  const { record } = item;
  if (record.position === undefined) return NOWHERE;
  const { timestamp: time } = record.value;
  return { id: idOf(emission, item), time, turn_id: emission.turn_id, record };
}

export function idOf({ index }: Emission, { row, record }: DialogueRecord): string {
  return asName(record.value.uuid) ?? recordId(index, row);
}

/** Returns the id of the model's response. All records of one answer share it. */
export function messageIdOf({ record: { value } }: DialogueRecord): string | undefined {
  return asName(asObject(value.message).id);
}

export function emitExtension(
  { writer }: Emission,
  type: string,
  data: unknown,
  origin: EventOrigin,
): void {
  writer.emit("extension", { agent: "claude", type, data }, origin);
}
