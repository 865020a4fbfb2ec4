/**
 * A session as OpenCode stores it. Its store is a database, a folder of JSON files, or an export.
 * Messages and parts have the shape of `MessageV2` in OpenCode 1.18.34
 * (packages/opencode/src/session/message-v2.ts); older and newer ones are brought to it.
 */
import type { Json } from "../engine/json.ts";
import type { SourceAccount } from "../contract/agent.ts";
import type { RecordSink } from "../engine/records/source_record.ts";

export interface StoredPart {
  id: string;
  data: Json;
  /** The weight of the part in the account: 1 row, or 0 if it is stored in its message's record. */
  weight: number;
  /** Characters of the part's record; absent if the store does not tell. */
  size?: number;
}

/** One message with its pieces, in the order in which the agent reads them. */
export interface StoredMessage {
  id: string;
  /** The message's own record; empty if it was damaged and only the parts are left. */
  info: Json;
  parts: readonly StoredPart[];
  /** The weight of the message's own record in the account, in rows or bytes. */
  weight: number;
  /** Characters of the message and its parts; absent if the store does not tell. */
  size?: number;
}

/** The facts in the session's own record. */
export interface SessionInfo {
  id: string;
  parent_id?: string;
  /** The session from which this one was forked, as OpenCode 2 records it. */
  fork_of?: string;
  directory?: string;
  title?: string;
  version?: string;
  /** Milliseconds since 1970, like all times in this file. */
  created?: number;
  updated?: number;
  archived?: number;
  /** The point from which the user took the dialogue back. */
  revert?: { message_id: string; part_id?: string };
  /** The weight of the session's own record in the account; 0 where it is lost. */
  weight: number;
}

export interface OpenCodeSession extends Disposable {
  readonly unit: SourceAccount["unit"];
  readonly info: SessionInfo;
  readonly count: number;
  /**
   * Returns the message with this index, in the agent's order; undefined if it is unreadable.
   * Damage goes to `sink`.
   */
  load(index: number, sink?: RecordSink): StoredMessage | undefined;
  indexOf(id: string | undefined): number | undefined;
  /** Counts what is left: records that belong to the session and are no messages of it. */
  countRest(sink: RecordSink): void;
}
