/** Shows the beginning and the end of a long text. */
import { Buffer } from "node:buffer";

export interface FoldLimits {
  head: number;
  tail: number;
}

interface FoldedText {
  head: string;
  /** Empty if nothing is hidden. */
  tail: string;
  hidden_lines: number;
  hidden_bytes: number;
}

/** Folds the middle of a text. Only searches for line feeds, because splitting it would be slow. */
export function foldText(text: string, limits: FoldLimits): FoldedText {
  const whole = { head: text, tail: "", hidden_lines: 0, hidden_bytes: 0 };
  const head_end = skipLines(text, limits.head);
  const tail_start = skipLinesBack(text, limits.tail);
  if (head_end >= tail_start) return whole;
  const hidden = text.slice(head_end + 1, tail_start);
  const hidden_lines = countLines(hidden);
  // A marker in place of one line saves nothing.
  if (hidden_lines === 1) return whole;
  return {
    head: text.slice(0, head_end),
    tail: text.slice(tail_start + 1),
    hidden_lines,
    hidden_bytes: Buffer.byteLength(hidden),
  };
}

/** Returns the offset of the line feed after `count` lines. Without one, the text's length. */
function skipLines(text: string, count: number): number {
  let at = -1;
  for (let line = 0; line < count; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return text.length;
  }
  return at;
}

/** Returns the offset of the line feed before the last `count` lines. −1 if there is none. */
function skipLinesBack(text: string, count: number): number {
  let at = text.length;
  for (let line = 0; line < count && at >= 0; line++) {
    at = at === 0 ? -1 : text.lastIndexOf("\n", at - 1);
  }
  return at;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/**
 * Numbers of lines to show of a long text, by its kind. A file's beginning is enough. Of a
 * command's output, the end matters more.
 */
export const FOLDS = {
  prompt: { head: 40, tail: 10 },
  purpose: { head: 4, tail: 0 },
  command: { head: 8, tail: 2 },
  thinking: { head: 8, tail: 4 },
  reminder: { head: 3, tail: 0 },
  file: { head: 6, tail: 0 },
  /** Limits for a shell command's output. `output` is for other tools. */
  printed: { head: 4, tail: 8 },
  output: { head: 8, tail: 4 },
  error: { head: 20, tail: 10 },
  data: { head: 8, tail: 4 },
  summary: { head: 8, tail: 4 },
  diff: { head: 40, tail: 10 },
} as const satisfies Record<string, FoldLimits>;
