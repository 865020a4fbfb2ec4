/**
 * A session as OpenCode stores it. Its store is a database, a folder of JSON files, or an export.
 * Messages and parts have the shape of `MessageV2` in OpenCode 1.18.34
 * (packages/opencode/src/session/message-v2.ts). Older and newer shapes are converted to this
 * shape.
 */
import type { Json } from "../engine/json.ts";
import type { SourceAccount } from "../contract/agent.ts";
import type { RecordSink } from "../engine/records/source_record.ts";

export interface StoredPart {
  id: string;
  data: Json;
  /** Number of database rows that store the part. 0 if the part is stored inside its message. */
  weight: number;
  /** Characters of the part's record. Absent if unknown. */
  size?: number;
}

/** A message and its parts. The parts are in the order in which OpenCode reads them. */
export interface StoredMessage {
  id: string;
  /** The message's record without its parts. Empty if only the parts are readable. */
  info: Json;
  parts: readonly StoredPart[];
  /** Number of database rows or bytes that store the message without its parts. */
  weight: number;
  /** Characters of the message and its parts. Absent if unknown. */
  size?: number;
}

export interface SessionInfo {
  id: string;
  parent_id?: string;
  /** Id of the session from which this session was forked. Only OpenCode 2 records it. */
  fork_of?: string;
  directory?: string;
  title?: string;
  version?: string;
  /** The Unix time in milliseconds. So are `updated` and `archived`. */
  created?: number;
  updated?: number;
  archived?: number;
  /** The first message or part that the user reverted. The revert includes everything later. */
  revert?: { message_id: string; part_id?: string };
  /** Rows that the session's info adds to a `SourceAccount`. 0 if the info is lost. */
  weight: number;
}

export interface OpenCodeSession extends Disposable {
  readonly unit: SourceAccount["unit"];
  readonly info: SessionInfo;
  readonly count: number;
  /**
   * Returns the message at an index in OpenCode's order. For an unreadable message, reports the
   * damage to `sink` and returns undefined.
   */
  load(index: number, sink?: RecordSink): StoredMessage | undefined;
  indexOf(id: string | undefined): number | undefined;
  countRest(sink: RecordSink): void;
}
