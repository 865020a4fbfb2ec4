/** A source of the index: a session, or a range of its bytes, with the facts about its texts. */
import { digest } from "../../catalogue/session_state.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import type { ReadPlace } from "../../../agents/contract/session_reading.ts";
import { SEARCH_ROLES, type SearchRole } from "../searchable_text.ts";
import { mixNumbers } from "./mix_numbers.ts";
import type { FileStamp } from "./source_stamp.ts";

/** The facts by which all sources are looked through, in the order of their columns. */
export interface SourceFacts {
  /** Number of the first group. */
  id: number;
  /** Digest of the session's reference and path: see {@linkcode entryKey}. */
  key: number;
  /** Digest of the state of the session's own file at indexing, and its size. */
  state: number;
  size: number;
  /** Start and end offset of the indexed bytes. */
  start: number;
  stop: number;
  /** Numbers of groups and of texts. */
  groups: number;
  texts: number;
  /** Numbers of the first prompt or answer, and of all of them. */
  message: number;
  messages: number;
  /** A sum of {@linkcode FLAGS}. */
  flags: number;
}

/** Returns the checksum of a source's facts. */
export function sumOfSource(facts: SourceFacts): number {
  const { id, key, state, size, start, stop, groups, texts, message, messages, flags } = facts;
  return mixNumbers([
    ...[id, key, state, size, start, stop, groups, texts, message, messages, flags],
  ]);
}

/** Properties of a source. */
export const FLAGS = {
  /** The session can be read on from the source's end or its place. */
  GROWS: 1,
  /** The session cannot be indexed, so that it is scanned. */
  PASSED_OVER: 2,
  /** The detail has other files, threads or a place. */
  DETAILED: 4,
} as const;

/** True if a source has a flag of {@linkcode FLAGS}. */
export function hasFlag({ flags }: Pick<SourceFacts, "flags">, flag: number): boolean {
  return (flags & flag) !== 0;
}

/** Facts that few questions need. */
export interface SourceDetail {
  /** The states of the session's files at indexing. */
  stamps: readonly FileStamp[];
  /** Checksums of the first bytes, and of the last bytes before the end, if it can be read on. */
  edges?: readonly [head: number, tail: number];
  /** Thread ids, the main one first; absent if there is only one. */
  threads?: readonly string[];
  /** The place at which another agent's session can be read on. */
  place?: ReadPlace;
  /** Number of the last event before its texts. Later texts of the previous source are void. */
  behind?: number;
}

/**
 * Hashes a session's name to one number. Among 100,000 sessions, a collision has a chance of 1 in 2
 * million. Hits are read again in the session, so a collision shows no wrong hit.
 */
export function entryKey(session: AgentSession): number {
  return digest(`${sessionRef(session)}\n${session.path}`);
}

/** The index's facts about one text, for ranking it unread. */
export interface IndexedText {
  seq: number;
  role: SearchRole;
  /** Milliseconds since 1970; NaN if unknown. */
  time: number;
  /** Length in characters. */
  size: number;
  /** Place of its line in a Reprise log. */
  offset: number;
  length: number;
  /** Index of its thread; 0 is the main one. */
  thread: number;
  /** Index of its group in the source. */
  group: number;
}

/** Columns of packed texts. */
export const TEXT = {
  ...{ SEQ: 0, ROLE: 1, TIME: 2, SIZE: 3 },
  ...{ OFFSET: 4, LENGTH: 5, THREAD: 6, GROUP: 7 },
} as const;
const WIDTH = 8;

/** Packs texts as rows of numbers, because a hundred thousand of them load at once. */
export function packTexts(texts: readonly IndexedText[]): Uint8Array {
  const rows = texts.flatMap((
    { seq, role, time, size, offset, length, thread, group },
  ) => [seq, SEARCH_ROLES.indexOf(role), time, size, offset, length, thread, group]);
  return new Uint8Array(Float64Array.from(rows).buffer);
}

/** The texts of a source. A common word has very many, so each is unpacked when it is needed. */
export class SourceTexts {
  readonly count: number;
  readonly #numbers: Float64Array;

  constructor(packed: Uint8Array) {
    this.#numbers = new Float64Array(packed.slice().buffer);
    this.count = this.#numbers.length / WIDTH;
  }

  /** Returns a number of a text, in a column of {@linkcode TEXT}. */
  get(index: number, column: number): number {
    return this.#numbers[index * WIDTH + column] ?? NaN;
  }

  role(index: number): SearchRole {
    return SEARCH_ROLES[this.get(index, TEXT.ROLE)] ?? "tool";
  }
}
