/** A source of the index: a session, or a range of its bytes, with the facts about its texts. */
import { digest } from "../../catalogue/session_state.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import type { ReadPlace } from "../../../agents/contract/session_reading.ts";
import { SEARCH_ROLES, type SearchRole } from "../searchable_text.ts";
import { mixNumbers } from "./mix_numbers.ts";
import type { FileStamp } from "./source_stamp.ts";

/** A source's facts that each search needs, in the column order of the table `source`. */
export interface SourceFacts {
  /** Number of the source's first group. A group is several adjacent texts indexed together. */
  id: number;
  /** Hash of the session's reference and path; see {@linkcode entryKey}. */
  key: number;
  /** Hash of the inode and times of the session's own file at indexing; `size` is in bytes. */
  state: number;
  size: number;
  /** Offset of the first indexed byte; `stop` is the offset after the last. */
  start: number;
  stop: number;
  /** Number of groups of texts that are indexed together; `texts` is the number of single texts. */
  groups: number;
  texts: number;
  /** Number of the source's first prompt or answer. `messages` counts its prompts and answers. */
  message: number;
  messages: number;
  /** A sum of {@linkcode FLAGS}. */
  flags: number;
}

export function sumOfSource(facts: SourceFacts): number {
  const { id, key, state, size, start, stop, groups, texts, message, messages, flags } = facts;
  return mixNumbers([
    ...[id, key, state, size, start, stop, groups, texts, message, messages, flags],
  ]);
}

export const FLAGS = {
  /** Set if an update can continue at the source's last byte or at `SourceDetail.place`. */
  GROWS: 1,
  /** Flag of a session that cannot be indexed. Searches scan it instead. */
  PASSED_OVER: 2,
  /** Set if searches need the source's {@linkcode SourceDetail}, for example a list of threads. */
  DETAILED: 4,
} as const;

export function hasFlag({ flags }: Pick<SourceFacts, "flags">, flag: number): boolean {
  return (flags & flag) !== 0;
}

/** Facts about an indexed source. Few searches need them, so they are stored separately. */
export interface SourceDetail {
  stamps: readonly FileStamp[];
  /** Checksums of the first and last indexed bytes; absent if an update must read all anew. */
  edges?: readonly [head: number, tail: number];
  /** Ids of the threads, the main thread first; absent if there is only the main thread. */
  threads?: readonly string[];
  /** The place at which an update continues to read another agent's session; absent for logs. */
  place?: ReadPlace;
  /** Number of the previous source's last valid event. This source indexes later events again. */
  behind?: number;
}

/**
 * Hashes a session's name to one number. Among 100,000 sessions, a clash has a chance of 1 in 2
 * million. A clash shows no wrong hit, because hits are read again.
 */
export function entryKey(session: AgentSession): number {
  return digest(`${sessionRef(session)}\n${session.path}`);
}

/** The facts about one text by which a search ranks the text without reading it. */
export interface IndexedText {
  seq: number;
  role: SearchRole;
  /** Time of the text in milliseconds since 1970; NaN if unknown. */
  time: number;
  /** Length of the text in characters. */
  size: number;
  /** Byte offset of the text's line in a Reprise log. */
  offset: number;
  length: number;
  /** Index of the text's thread; 0 is the main thread. */
  thread: number;
  /** Index of the text's group (neighbouring texts indexed together) among the source's groups. */
  group: number;
}

/** The indexes of the columns of packed texts. */
export const TEXT = {
  ...{ SEQ: 0, ROLE: 1, TIME: 2, SIZE: 3 },
  ...{ OFFSET: 4, LENGTH: 5, THREAD: 6, GROUP: 7 },
} as const;
const WIDTH = 8;

/** Packs texts as rows of numbers, so that a hundred thousand texts load at once. */
export function packTexts(texts: readonly IndexedText[]): Uint8Array {
  const rows = texts.flatMap((
    { seq, role, time, size, offset, length, thread, group },
  ) => [seq, SEARCH_ROLES.indexOf(role), time, size, offset, length, thread, group]);
  return new Uint8Array(Float64Array.from(rows).buffer);
}

/** The packed texts of a source. Texts are unpacked one by one, because a source has many. */
export class SourceTexts {
  readonly count: number;
  readonly #numbers: Float64Array;

  constructor(packed: Uint8Array) {
    this.#numbers = new Float64Array(packed.slice().buffer);
    this.count = this.#numbers.length / WIDTH;
  }

  /** Returns a fact of the text at `index`. `column` is one of {@linkcode TEXT}. */
  get(index: number, column: number): number {
    return this.#numbers[index * WIDTH + column] ?? NaN;
  }

  role(index: number): SearchRole {
    return SEARCH_ROLES[this.get(index, TEXT.ROLE)] ?? "tool";
  }
}
