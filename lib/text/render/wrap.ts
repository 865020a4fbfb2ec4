/** Breaks text into rows of a terminal. */
import { wrapAnsi } from "npm:fast-wrap-ansi@0.2.2";
import { characterWidth, textWidth } from "./text_width.ts";

const ASCII = /^[\x20-\x7e]*$/;

// Longer lines are no prose; they are broken anywhere.
const PROSE_LIMIT = 65_536;

const LIST_MARK = /^(?:[-*•]|\d{1,3}[.)]) +(?=\S)/;

/**
 * Breaks prose between words. A continued line keeps its indentation, and a word that is wider than
 * a row is broken. Colours and styles of Reprise end with each row, and begin again on the next
 * row. So any text can be put before a row.
 */
export function wrapWords(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  if (line.length <= width && ASCII.test(line)) return [line];
  if (width === Infinity || (line.length <= PROSE_LIMIT && textWidth(line) <= width)) return [line];
  if (line.length > PROSE_LIMIT) return wrapCells(line, width);
  const indent = Math.min(line.length - line.trimStart().length, Math.floor(width / 2));
  const text = line.trim();
  const [mark = ""] = LIST_MARK.exec(text) ?? [];
  if (mark === "" || indent + mark.length > width / 2) {
    return indented(wrapRows(text, width - indent), indent);
  }
  // A continued point of a list is below the point's text, not below its mark.
  const [first = "", ...others] = wrapRows(text.slice(mark.length), width - indent - mark.length);
  return [
    " ".repeat(indent) + mark + first,
    ...indented(others, indent + mark.length),
  ];
}

function wrapRows(text: string, width: number): string[] {
  // A row ends at any blanks that fill it. The package looks through all of them for each one.
  const filling = " ".repeat(width + 1);
  const short = text.replaceAll(new RegExp(`${filling} +`, "g"), filling);
  return closeStyles(wrapAnsi(short, width, { hard: true }).split("\n"));
}

function indented(rows: readonly string[], columns: number): string[] {
  return rows.map((row) => " ".repeat(columns) + row);
}

/**
 * Breaks a line of plain text at `width` columns, as a terminal does. Nothing is trimmed. All rows
 * but the first are narrower by `margin`, so that the caller can indent them.
 */
export function wrapCells(line: string, width: number, margin = 0): string[] {
  if (line.length <= width && ASCII.test(line)) return [line];
  const rows: string[] = [];
  let start = 0;
  let end = 0;
  let used = 0;
  for (const character of line) {
    const cells = characterWidth(character);
    if (used + cells > width && end > start) {
      rows.push(line.slice(start, end));
      start = end;
      used = margin;
    }
    used += cells;
    end += character.length;
  }
  rows.push(line.slice(start));
  return rows;
}

/** Replaces tabs by spaces. Tab stops are `stop` columns apart. */
export function expandTabs(line: string, stop: number): string {
  if (!line.includes("\t")) return line;
  let out = "";
  let column = 0;
  for (const [index, piece] of line.split("\t").entries()) {
    if (index > 0) {
      const gap = stop - column % stop;
      out += " ".repeat(gap);
      column += gap;
    }
    out += piece;
    column += textWidth(piece);
  }
  return out;
}

export function ruleText(width: number): string {
  return "─".repeat(Math.max(0, Math.min(width, 80)));
}

// deno-lint-ignore no-control-regex -- our own escapes are what is looked for
const SGR = /\x1b\[(\d+)m/g;
const CLOSING = new Map([
  ["1", "22"],
  ["2", "22"],
  ["3", "23"],
  ["4", "24"],
  ["9", "29"],
]);

/** Closes open styles at the end of each row, and opens them again on the next row. */
function closeStyles(rows: readonly string[]): string[] {
  const open = new Map<string, string>();
  return rows.map((row) => {
    const before = [...open.keys()].map(escapeOf).join("");
    for (const [, code = ""] of row.matchAll(SGR)) applyCode(open, code);
    const after = [...new Set(open.values())].map(escapeOf).join("");
    return before + row + after;
  });
}

function applyCode(open: Map<string, string>, code: string): void {
  const closing = CLOSING.get(code) ?? (/^3[0-7]$/.test(code) ? "39" : undefined);
  if (closing !== undefined) open.set(code, closing);
  else for (const [opening, end] of open) if (end === code) open.delete(opening);
}

function escapeOf(code: string): string {
  return `\x1b[${code}m`;
}
