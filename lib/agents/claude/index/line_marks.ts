/** Finds the marks that tell lines apart, in a whole block at once. */
import type { ByteFinder } from "../../../log/byte_finder.ts";
import { type BytePattern, textPattern } from "../../../log/byte_pattern.ts";
import { byteSearch } from "../../../log/json_bytes/byte_search.ts";

/** Finds marks between two places of a line; -1 where there is none. */
export interface LineMarks {
  /** The beginning of another record: the line's start is torn, and both ends tell of two. */
  second(from: number, to: number): number;
  /** What a person saw of a call's result. */
  shown(from: number, to: number): number;
  /** A result that was cut off. */
  interrupted(from: number, to: number): number;
  /** A result of a call. */
  result(from: number, to: number): number;
}

/** Finds the mark of a summary of a compaction. */
export const findSummary = byteSearch('"isCompactSummary"');

const SECOND = '{"parentUuid":';
const SHOWN = ',"toolUseResult":';
const INTERRUPTED = '"interrupted":true';
const RESULT = '"type":"tool_result"';

const PATTERNS = [SECOND, SHOWN, INTERRUPTED, RESULT].map(textPattern) as [
  BytePattern,
  BytePattern,
  BytePattern,
  BytePattern,
];

/** Finds marks in the lines of a block, which are asked for in their order. */
export function blockMarks(finder: ByteFinder, end: number): LineMarks {
  const [second, shown, interrupted, result] = PATTERNS;
  return {
    second: inOrder(finder, second, end),
    shown: inOrder(finder, shown, end),
    interrupted: inOrder(finder, interrupted, end),
    result: inOrder(finder, result, end),
  };
}

/** What was found behind the line is kept for the next: each place of the block is looked at once. */
function inOrder(
  finder: ByteFinder,
  pattern: BytePattern,
  end: number,
): (from: number, to: number) => number {
  let next = -2;
  let searched = 0;
  return (from, to) => {
    if (next === -2 || next >= 0 && next < from || from < searched) {
      next = finder.find(pattern, from, end);
      searched = from;
    }
    return next < to ? next : -1;
  };
}

/** Finds marks in a line by itself. */
export function lineMarks(bytes: Uint8Array): LineMarks {
  const [second, shown, interrupted, result] = SEARCHES;
  return {
    second: (from, to) => second(bytes, from, to),
    shown: (from, to) => shown(bytes, from, to),
    interrupted: (from, to) => interrupted(bytes, from, to),
    result: (from, to) => result(bytes, from, to),
  };
}

const SEARCHES = [
  byteSearch(SECOND),
  byteSearch(SHOWN),
  byteSearch(INTERRUPTED),
  byteSearch(RESULT),
] as const;
