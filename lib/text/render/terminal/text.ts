/** Draws code, broken at the width, and prose, broken between words. Long texts are folded. */
import type { CodeBlock } from "../block/block.ts";
import { formatBytes } from "../byte_size.ts";
import { type FoldLimits, foldText } from "../fold.ts";
import type { CodeInk, CodeRun } from "../highlight.ts";
import { sanitizeText } from "../sanitize.ts";
import type { Format } from "../style.ts";
import { cutText, takeStart, textWidth } from "../text_width.ts";
import { expandTabs, wrapCells, wrapWords } from "../wrap.ts";
import { type BlockView, INKS } from "./view.ts";
import { Buffer } from "node:buffer";

const TAB = 8;
const ROWS_PER_LINE = 3;
const HINT = "to show them: --full";

const CODE_FORMATS: Readonly<Record<CodeInk, Format>> = {
  comment: "dim",
  keyword: "magenta",
  string: "green",
  number: "cyan",
  title: "blue",
  type: "yellow",
  attr: "cyan",
};

export function printCode(block: CodeBlock, view: BlockView): string[] {
  const { text, fold } = block;
  if (text === "") return [];
  const draw = (piece: string): string[] => codeRows(piece, lookOf(block), view);
  if (view.full) return draw(text);
  const folded = foldText(text, fold);
  const head = draw(folded.head);
  if (folded.hidden_lines === 0) return head;
  const hidden = printHidden(folded.hidden_lines, folded.hidden_bytes, view);
  return [...head, hidden, ...(fold.tail === 0 ? [] : draw(folded.tail))];
}

export function printHidden(lines: number, bytes: number, view: BlockView): string {
  const text = `… ${lines} more lines (${formatBytes(bytes)})`;
  const hinted = `${text}; ${view.more_hint ?? HINT}`;
  return view.style.paint(
    "dim",
    cutText(textWidth(hinted) <= view.width ? hinted : text, view.width),
  );
}

interface CodeLook {
  /** The format of lines that the highlighter does not colour. */
  format: Format | [];
  language?: string | undefined;
  tab: number;
}

/** Returns a code block's look. Tool output is dim, because messages matter more. */
function lookOf({ ink, language }: CodeBlock): CodeLook {
  if (ink !== undefined) return { format: INKS[ink], tab: TAB };
  return { format: "dim", tab: TAB, language };
}

/** Draws code with syntax colours. A broken line continues at the line's own indent. */
export function codeRows(text: string, look: CodeLook, view: BlockView): string[] {
  const { format, language, tab } = look;
  // Tabs are spaces before colours are found, so that runs and rows are of one text.
  const lines = sanitizeText(text).split("\n").map((line) => expandTabs(line, tab));
  const colors = view.style.color && language !== undefined ? view.highlight : undefined;
  const runs = linesOfRuns(colors?.(lines.join("\n"), language) ?? []);
  return lines.flatMap((line, index) => {
    const rows = breakLine(line, view);
    const colored = runs[index];
    const painted = colored === undefined || rows.join("") !== line
      ? rows.map((row) => view.style.paint(format, row))
      : paintRows(rows, colored, view);
    const margin = " ".repeat(hangingIndent(line, view.width));
    return painted.map((row, at) => at === 0 || row === "" ? row : margin + row);
  });
}

/** Returns a sanitized line's rows: at most three, unless `full`. A cut line ends with its size. */
export function breakLine(line: string, { width, full }: BlockView): string[] {
  const limit = width * ROWS_PER_LINE;
  const hang = hangingIndent(line, width);
  if (full || line.length <= limit) return wrapCells(line, width, hang);
  // The rows that are shown cannot need more than this much of the line.
  const rows = wrapCells(line.slice(0, limit + 1).toWellFormed(), width, hang)
    .slice(0, ROWS_PER_LINE);
  const hidden = line.length - rows.join("").length;
  if (hidden === 0) return rows;
  return [...rows.slice(0, -1), cutRow(rows.at(-1) ?? "", line, width - hang)];
}

function hangingIndent(line: string, width: number): number {
  const indent = line.length - line.trimStart().length;
  return indent === line.length || width === Infinity ? 0 : Math.min(indent, Math.floor(width / 2));
}

function cutRow(row: string, line: string, width: number): string {
  const rest = ` … (line of ${formatBytes(Buffer.byteLength(line))})`;
  return cutText(takeStart(row, width - rest.length) + rest, width);
}

function linesOfRuns(runs: readonly CodeRun[]): CodeRun[][] {
  if (runs.length === 0) return [];
  const lines: CodeRun[][] = [[]];
  for (const { text, ink } of runs) {
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (piece !== "") {
        lines.at(-1)?.push(ink === undefined ? { text: piece } : { text: piece, ink });
      }
    }
  }
  return lines;
}

function paintRows(
  rows: readonly string[],
  runs: readonly CodeRun[],
  { style }: BlockView,
): string[] {
  let [at, from] = [0, 0];
  return rows.map((row) => {
    let painted = "";
    for (let left = row.length; left > 0;) {
      const { text, ink } = runs[at] ?? { text: row };
      const piece = text.slice(from, from + left);
      if (piece === "") break;
      painted += style.paint(ink === undefined ? [] : CODE_FORMATS[ink], piece);
      left -= piece.length;
      from += piece.length;
      if (from >= text.length) [at, from] = [at + 1, 0];
    }
    return painted;
  });
}

const PROSE_TAB = 4;

interface ProseOptions {
  format?: Format | readonly Format[] | undefined;
  /** Number of lines shown of a long text, unless the view is full. @default {all} */
  fold?: FoldLimits | undefined;
}

export function printProse(text: string, view: BlockView, options: ProseOptions = {}): string[] {
  const { format, fold } = options;
  const trimmed = text.trimEnd();
  if (trimmed === "") return [];
  if (view.full || fold === undefined) return proseRows(trimmed, view, format);
  const folded = foldText(trimmed, fold);
  const rows = proseRows(folded.head, view, format);
  if (folded.hidden_lines === 0) return rows;
  rows.push(printHidden(folded.hidden_lines, folded.hidden_bytes, view));
  return fold.tail === 0 ? rows : [...rows, ...proseRows(folded.tail, view, format)];
}

function proseRows(
  text: string,
  { width, style }: BlockView,
  format: ProseOptions["format"],
): string[] {
  const rows: string[] = [];
  for (const line of sanitizeText(text).split("\n")) {
    for (const row of wrapWords(expandTabs(line, PROSE_TAB), width)) {
      rows.push(style.paint(format ?? [], row));
    }
  }
  return rows;
}
