/**
 * What is carried from record to record while a session of Claude Code becomes events.
 */
import type { EventOrigin, EventWriter } from "../event_writer.ts";
import { asText } from "../json_value.ts";
import type { SourceRecord } from "../source_record.ts";
import type { TalkNode } from "./talk_node.ts";

/** A record of the talk with what it says. */
export interface TalkRecord {
  node: TalkNode;
  record: SourceRecord;
}

/** A call whose result is still to come. */
export interface StartedCall {
  name: string;
  path?: string;
}

/** What is carried from record to record. */
export interface Emission {
  readonly writer: EventWriter;
  /** The prompt that is being answered. */
  turn_id: string | undefined;
  readonly calls: Map<string, StartedCall>;
  /** Calls that have their result: some records are written twice. */
  readonly settled: Set<string>;
}

/** Starts to make events. */
export function startEmission(writer: EventWriter): Emission {
  return { writer, turn_id: undefined, calls: new Map(), settled: new Set() };
}

/** Where the events of a record came from. */
export function originOf({ turn_id }: Emission, { node, record }: TalkRecord): EventOrigin {
  return { id: node.id, time: record.value.timestamp, turn_id, record };
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

/** What kind of a record it is, in words. */
export function nameOf({ type, subtype }: TalkNode): string {
  return asText(subtype) === undefined ? type : `${type}/${subtype}`;
}
