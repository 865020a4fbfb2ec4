/**
 * The contract of an agent's repairs. It describes what the client reads of a damaged session, and
 * which facts each record contains. The code of the repair is in `lib/features/repair`.
 *
 * @module
 */
import type { AgentPlace } from "./agent_environment.ts";

/** One kind of damage. The names are stable, as programs may rely on them. */
export type DamageKind =
  | "byte-order-mark"
  | "torn-end"
  | "torn-record"
  | "fused-records"
  | "nul-run"
  | "bad-utf8"
  | "no-record"
  | "no-newline"
  | "no-header"
  | "lost-parent"
  | "parent-cycle"
  | "repeated-id"
  | "stray-result"
  | "hollow-thinking"
  | "large-image"
  | "unanswered-call"
  | "repeated-file"
  | "long-line"
  | "long-output";

/** The way in which a client fails to continue a damaged session. */
export type ClientEnd = "refuses" | "wipes" | "hangs" | "does-not-find";

export interface RepairedFile {
  id: string;
  path: string;
  cwd?: string;
}

/** The list of parts in a record. A repair may remove some of the parts. */
export interface RecordParts {
  /** Names of the members that lead from the record to the list of parts. */
  path: readonly string[];
  count: number;
  /** The parts that are results: the index of each, and the id of the call that it answers. */
  results: readonly { index: number; call_id: string }[];
  /** Indexes of the parts with reasoning that has neither text nor signature. */
  hollow: readonly number[];
}

export interface LargePart {
  /** Names of members, and indexes in lists, that lead from the record to the part. */
  path: readonly (string | number)[];
  bytes: number;
  /** Maximum size of the part, in bytes, that the provider accepts. */
  limit: number;
  /** Returns a small part with `text`, which replaces the large part in the record. */
  instead(text: string): unknown;
}

export interface RecordFacts {
  /** The ids of the calls that the record makes. */
  calls?: readonly string[];
  /** Ids of calls answered outside of `result_of` and `parts`. Repairs keep these answers. */
  answered?: readonly string[];
  /** The id of the call whose result this record is. Absent if the record is something else. */
  result_of?: string;
  /** True if the whole record is reasoning that has neither text nor signature. */
  hollow?: boolean;
  parts?: RecordParts;
  /** Images that are so large that the provider refuses every request with them. */
  large?: readonly LargePart[];
  /** True if the record has words of a user or a model. */
  speaks?: boolean;
  cwd?: string;
}

export interface RecordLinks {
  /** The name of the member with the record's own id. */
  id: string;
  /** The name of the member with the parent record's id. The member is null in the first record. */
  parent: string;
  /** The record whose parent is used if several records have the same id. */
  wins: "first" | "last";
  /** True if the client combines records that have the same id. */
  merges?: boolean;
  /**
   * True if the client continues at the previous record where a parent is missing or in a cycle.
   */
  bridged: boolean;
}

/** The ability of a client to read the records of a damaged line. */
export interface ClientReading {
  /** True if the client reads all records of a line that holds several whole ones. */
  fused: boolean;
  /** True if the client reads a record that follows an incomplete record on the same line. */
  glued: boolean;
  /** True if the client reads a record that follows NUL bytes. */
  after_nuls: boolean;
  /** Kinds of damage with which the client reads no part of the session, and how it then fails. */
  ends: Partial<Record<DamageKind, ClientEnd>>;
}

/** A session whose first line is lost, with the facts for a new first line. */
export interface LostHeader extends RepairedFile {
  /** The time of the session's first record that has a time. */
  time?: string;
  /** The working directory from the user, or else from a record. */
  directory?: string;
  /** The time now, in ISO 8601. */
  now: string;
}

/** The result of locking a session: the client that has it open, or a lock against clients. */
export type SessionHold = { busy: string } | { release(): void };

/** The repairs for an agent that writes one record per line. */
export interface LineRepair {
  kind: "lines";
  /** The name of the client's program in the list of processes. */
  program: string;
  reading: ClientReading;
  /** The client's reaction to each kind of damage, as sentences that name the client. */
  today: Partial<Record<DamageKind, string>>;
  /** A fact that the user should know after a session was changed. */
  note?: string;
  links?: RecordLinks;
  /** True if a repair must remove results without calls, because a provider refuses them. */
  strays: boolean;
  refusal?(path: string): string | undefined;
  isRecord(value: Readonly<Record<string, unknown>>): boolean;
  /** True for the record that must come first in a file. Absent if any record may come first. */
  isHeader?(value: Readonly<Record<string, unknown>>): boolean;
  /** Returns a new header for the lost one; undefined if the user must give the directory. */
  header?(lost: LostHeader): Record<string, unknown> | undefined;
  facts(value: Readonly<Record<string, unknown>>): RecordFacts;
  /**
   * True for a text in the output of a tool.
   *
   * @param path The names that lead to the text, such as `message.content[].text`.
   * @param seen Short texts of the record before this text, by their paths.
   */
  isOutput(path: string, seen: ReadonlyMap<string, string>): boolean;
  /** Finds a session that stores byte offsets into this file. A repair must not shift bytes. */
  dependant?(file: RepairedFile): Promise<string | undefined>;
  /**
   * Keeps clients out of the session, or says which client has the session open. Without this
   * method, the time of the last change and the running processes show whether the session is open.
   */
  hold?(file: RepairedFile, place: AgentPlace): Promise<SessionHold>;
}

/** The check of an agent that keeps sessions in a database. No repair changes the database. */
export interface DatabaseCheck {
  kind: "database";
  /**
   * True if texts in the rows may be scrubbed, because the client was seen to accept the change.
   */
  scrubs?: true;
  /** Returns the faults that the database reports about itself; empty if the database is sound. */
  check(path: string): Promise<string[]>;
}

export type SessionRepair = LineRepair | DatabaseCheck;
