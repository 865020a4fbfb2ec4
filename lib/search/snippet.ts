/**
 * The part of a text around a match, on one line. Pure.
 */
import type { Query } from "./query.ts";
import type { Match, TextRange } from "./query_match.ts";

/** A part of a text around a match, and the ranges of matches in it. */
interface Snippet {
  text: string;
  /** Ordered, without overlap. */
  ranges: TextRange[];
}

const BEFORE = 48;
const AFTER = 120;
const LONGEST_MATCH = 160;
const ELLIPSIS = "…";

/** Makes the snippet of a match. Any white space becomes one space. */
export function makeSnippet({ terms }: Query, { piece, range: [start, end] }: Match): Snippet {
  const stop = Math.min(end, start + LONGEST_MATCH);
  const from = Math.max(0, start - BEFORE);
  const to = Math.min(piece.length, stop + AFTER);
  // A cut may leave half a character.
  const part = (a: number, b: number): string => onOneLine(piece.slice(a, b).toWellFormed());
  const before = (from > 0 ? ELLIPSIS : "") + part(from, start).replace(/^ /, "");
  const match = part(start, stop);
  const text = before + match + part(stop, to).replace(/ $/, "") +
    (to < piece.length ? ELLIPSIS : "");
  const ranges: TextRange[] = [[before.length, before.length + match.length]];
  for (const { pattern } of terms) addRanges(text, pattern, ranges);
  return { text, ranges: merged(ranges.filter(([a, b]) => b > a)) };
}

function onOneLine(text: string): string {
  return text.replace(/\s+/gu, " ");
}

function addRanges(text: string, pattern: RegExp, ranges: TextRange[]): void {
  // The expression keeps the end of the last search.
  pattern.lastIndex = 0;
  for (const found of text.matchAll(pattern)) {
    if (found[0] !== "") ranges.push([found.index, found.index + found[0].length]);
  }
}

function merged(ranges: TextRange[]): TextRange[] {
  const result: [number, number][] = [];
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
