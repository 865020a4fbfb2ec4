/**
 * The index's facts about each text, as numbers in rows. A hundred thousand of them load at once.
 * Pure.
 */
import { SEARCH_ROLES, type SearchRole } from "../searchable_text.ts";

/** One text, as far as it can be ranked without being read. */
export interface IndexedText {
  seq: number;
  role: SearchRole;
  /** Milliseconds since 1970; NaN where nothing tells. */
  time: number;
  /** Characters. */
  size: number;
  /** Which of the entry's threads it stands in: 0 is the main one. */
  thread: number;
  /** Where its line lies in a log of ours. */
  offset: number;
  length: number;
}

/** Numbers of one text. */
const WIDTH = 7;

/** Texts as numbers. */
export function packTexts(texts: readonly IndexedText[]): Uint8Array {
  const numbers = new Float64Array(texts.length * WIDTH);
  for (const [index, { seq, role, time, size, offset, length, thread }] of texts.entries()) {
    const roleNumber = SEARCH_ROLES.indexOf(role);
    numbers.set([seq, roleNumber, time, size, offset, length, thread], index * WIDTH);
  }
  return new Uint8Array(numbers.buffer);
}

/** Numbers as bytes. */
export function packNumbers(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer);
}

/** Numbers as they were packed, wherever their bytes lie. */
export function unpackNumbers(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.slice().buffer);
}

/** The number of a packed text's event. */
export function seqAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH] ?? NaN;
}

/** When a packed text was said; NaN where nothing tells. */
export function timeAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH + 2] ?? NaN;
}

/** Who said a packed text. */
export function roleAt(numbers: Float64Array, index: number): SearchRole {
  return SEARCH_ROLES[numbers[index * WIDTH + 1] ?? 0] ?? "tool";
}

/** Characters of a packed text. */
export function sizeAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH + 3] ?? NaN;
}

/** Which of the entry's threads a packed text stands in. */
export function threadAt(numbers: Float64Array, index: number): number {
  return numbers[index * WIDTH + 6] ?? 0;
}

/** A packed text. */
export function textAt(numbers: Float64Array, index: number): IndexedText {
  const at = index * WIDTH;
  return {
    seq: numbers[at] ?? NaN,
    role: roleAt(numbers, index),
    time: timeAt(numbers, index),
    size: sizeAt(numbers, index),
    offset: numbers[at + 4] ?? NaN,
    length: numbers[at + 5] ?? NaN,
    thread: threadAt(numbers, index),
  };
}
