/**
 * The contract of an agent's repairs. It says what the client reads of a damaged session, and what a
 * record says of itself. The repair is in `lib/features/repair`.
 *
 * @module
 */
import type { AgentPlace } from "./agent_environment.ts";

/** One kind of damage: programs may rely on its name. */
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
  | "unanswered-call"
  | "repeated-file"
  | "long-line"
  | "long-output";

/** The fate of a session that a client cannot continue. */
export type ClientEnd = "refuses" | "wipes" | "hangs" | "does-not-find";

export interface RepairedFile {
  /** The id by which the agent knows it. */
  id: string;
  /** Absolute path. */
  path: string;
  /** Its working directory, where locating it tells. */
  cwd?: string;
}

/** The parts of a record of which some may have to go. */
export interface RecordParts {
  /** Names of the members that lead to the list. */
  path: readonly string[];
  count: number;
  /** The parts that are results, with the calls that they answer. */
  results: readonly { index: number; call_id: string }[];
  /** The parts that are thoughts without text and seal. */
  hollow: readonly number[];
}

/** The facts of one record that a repair needs. */
export interface RecordFacts {
  /** The ids of the calls that it makes. */
  calls?: readonly string[];
  /** The ids of the calls that it answers for good, beside `result_of` and `parts`. */
  answered?: readonly string[];
  /** The call whose result the whole record is. */
  result_of?: string;
  /** True where the whole record is a thought without text or signature. */
  hollow?: boolean;
  parts?: RecordParts;
  /** True where a user or a model says something in it. */
  speaks?: boolean;
  /** The working directory that it names. */
  cwd?: string;
}

/** The members by which records name the one that they follow. */
export interface RecordLinks {
  /** The member with a record's own id. */
  id: string;
  /** The member with the id of the record that it follows; null at the first. */
  parent: string;
  /** The record of several with one id whose parent counts. */
  wins: "first" | "last";
  /** True where the client puts records of one id together. */
  merges?: boolean;
  /** True where the client itself goes on with the record before, if a parent is lost or a cycle. */
  bridged: boolean;
}

/** The records of a damaged line that a client reads. */
export interface ClientReading {
  /** True if it reads the records of a line that holds several whole ones. */
  fused: boolean;
  /** True if it reads a record behind a torn one. */
  glued: boolean;
  /** True if it reads a record behind NUL bytes. */
  after_nuls: boolean;
  /** Damage with which it takes nothing of the session. */
  ends: Partial<Record<DamageKind, ClientEnd>>;
}

/** A session whose first line is lost, with the facts to make a new one. */
export interface LostHeader extends RepairedFile {
  /** The time of the first record that has one. */
  time?: string;
  /** The working directory that was given, or that a record names. */
  directory?: string;
  /** The time now, in ISO 8601. */
  now: string;
}

/** A session that its client has open, or a hold that keeps clients out. */
export type SessionHold = { busy: string } | { release(): void };

/** Repairs of an agent that keeps a record a line. */
export interface LineRepair {
  kind: "lines";
  /** The name of the client's program, to look for it among the processes. */
  program: string;
  reading: ClientReading;
  /** The client's own behaviour with each kind of damage, in sentences with its name. */
  today: Partial<Record<DamageKind, string>>;
  /** A fact that a user should know once a session was changed. */
  note?: string;
  /** The members that link records; absent where none do. */
  links?: RecordLinks;
  /** True if results whose call is lost must go: the client sends them, and a provider refuses. */
  strays: boolean;
  /** Says why a file cannot be repaired line by line; undefined where it can. */
  refusal?(path: string): string | undefined;
  /** True for an object that has the frame of the agent's records. */
  isRecord(value: Readonly<Record<string, unknown>>): boolean;
  /** True for the record that a file must begin with. Absent if files need no such record. */
  isHeader?(value: Readonly<Record<string, unknown>>): boolean;
  /** Makes the lost header; undefined where the directory must be given. */
  header?(lost: LostHeader): Record<string, unknown> | undefined;
  facts(value: Readonly<Record<string, unknown>>): RecordFacts;
  /**
   * True for a text that a tool gave.
   *
   * @param path The names that lead to it, such as `message.content[].text`.
   * @param seen Short texts of the record that stand before it, by their paths.
   */
  isOutput(path: string, seen: ReadonlyMap<string, string>): boolean;
  /** Finds a session that points into the bytes of this one, which must not change then. */
  dependant?(file: RepairedFile): Promise<string | undefined>;
  /**
   * Tells whether a client has the session open, and keeps others out while it is held. Without it,
   * the time of the last change and the processes tell.
   */
  hold?(file: RepairedFile, place: AgentPlace): Promise<SessionHold>;
}

/** The check of an agent that keeps its sessions in a database, which is never changed. */
export interface DatabaseCheck {
  kind: "database";
  /** Returns what the database says is wrong with it; nothing where it is sound. */
  check(path: string): Promise<string[]>;
}

export type SessionRepair = LineRepair | DatabaseCheck;
