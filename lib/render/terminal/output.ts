/**
 * Renders a call's output as plain text; of a long one, its beginning and its end.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { formatBytes } from "../byte_size.ts";
import { type FoldLimits, foldText } from "../fold.ts";
import { sanitizeText } from "../sanitize.ts";
import type { Format } from "../style.ts";
import { cutText, takeStart } from "../text_width.ts";
import { expandTabs, wrapCells } from "../wrap.ts";
import { narrowView, type View } from "./view.ts";

/** How an output is shown. */
export interface OutputOptions {
  /** Columns before each row. */
  indent: number;
  /** Colour of the text. */
  format?: Format;
  limits?: FoldLimits;
}

const OUTPUT_LIMITS: FoldLimits = { head: 8, tail: 4 };
const ERROR_LIMITS: FoldLimits = { head: 20, tail: 10 };
const TAB = 8;
const ROWS_PER_LINE = 3;

/** Rows of an output, broken where a terminal would break them. */
export function renderOutput(text: string, view: View, options: OutputOptions): string[] {
  const trimmed = trimLineEnds(text);
  if (trimmed === "") return [];
  const inner = narrowView(view, options.indent);
  const rows = renderFolded(trimmed, inner, options);
  return rows.map((row) => (row === "" ? "" : " ".repeat(options.indent) + row));
}

/** Rows of what went wrong with a call. */
export function renderError(error: string, view: View, indent: number): string[] {
  return renderOutput(error, view, { indent, format: "red", limits: ERROR_LIMITS });
}

function renderFolded(text: string, view: View, options: OutputOptions): string[] {
  if (view.full) return renderLines(text, view, options.format);
  const folded = foldText(text, options.limits ?? OUTPUT_LIMITS);
  const head = renderLines(folded.head, view, options.format);
  if (folded.hidden_lines === 0) return head;
  const hidden = renderHidden(folded.hidden_lines, folded.hidden_bytes, view);
  return [...head, hidden, ...renderLines(folded.tail, view, options.format)];
}

/** The row that stands for lines that are left out. */
export function renderHidden(lines: number, bytes: number, view: View): string {
  const text = `… ${lines} more lines (${formatBytes(bytes)}); show --full has them`;
  return view.style.paint("dim", cutText(text, view.width));
}

function renderLines(text: string, view: View, format: Format | undefined): string[] {
  const rows: string[] = [];
  for (const line of sanitizeText(text).split("\n")) {
    for (const row of breakLine(line, view, TAB)) rows.push(view.style.paint(format ?? [], row));
  }
  return rows;
}

/** Rows of one sanitized line: all of them, or a few and how much more there is. */
export function breakLine(line: string, view: View, tab: number): string[] {
  const limit = view.width * ROWS_PER_LINE;
  if (view.full || line.length <= limit) return wrapCells(expandTabs(line, tab), view.width);
  // The rows that are shown cannot need more than this much of the line.
  const start = line.slice(0, limit + 1).toWellFormed().replaceAll("\t", " ");
  const rows = wrapCells(start, view.width).slice(0, ROWS_PER_LINE);
  const hidden = line.length - rows.join("").length;
  return hidden === 0 ? rows : [...rows.slice(0, -1), cutRow(rows.at(-1) ?? "", line, view.width)];
}

/** A last row that ends in how much of the line comes after it. */
function cutRow(row: string, line: string, width: number): string {
  const rest = ` … ${formatBytes(Buffer.byteLength(line))} in this line`;
  return cutText(takeStart(row, width - rest.length) + rest, width);
}

function trimLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
  return text.slice(0, end);
}
