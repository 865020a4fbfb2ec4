/** The settings of a terminal view, and functions that draw rows and words with them. */
import type { Block, Ink, Word } from "../block/block.ts";
import type { Highlight } from "../highlight.ts";
import { sanitizeLine } from "../sanitize.ts";
import type { Format, Style } from "../style.ts";
import { cutText, textWidth } from "../text_width.ts";
import type { TimeFormat } from "../time_label.ts";

export interface BlockView {
  /** Width in columns, or `Infinity` for no limit. */
  width: number;
  style: Style;
  /** True to show long texts and calls without cutting or folding. @default {false} */
  full?: boolean;
  /** Writes a time in the reader's language and zone. @default {(iso) => iso} */
  format_time?: TimeFormat;
  /** Types of blocks that are shown as one line. @default {none} */
  folded?: ReadonlySet<Block["type"]> | undefined;
  /** Text that says how to see hidden lines. @default {"to show them: --full"} */
  more_hint?: string;
  highlight?: Highlight | undefined;
}

export function narrowView(view: BlockView, columns: number): BlockView {
  return { ...view, width: Math.max(1, view.width - columns) };
}

export function markRows(rows: readonly string[], mark: string): string[] {
  return rows.map((row) => (row === "" ? mark.trimEnd() : mark + row));
}

/** Puts `mark` before the first row. The other rows are indented by `columns`, the mark's width. */
export function hangRows(rows: readonly string[], mark: string, columns: number): string[] {
  const margin = " ".repeat(columns);
  return rows.map((row, index) => index === 0 ? mark + row : row === "" ? "" : margin + row);
}

export function setIn(
  view: BlockView,
  columns: number,
  draw: (inner: BlockView) => string[],
): string[] {
  return markRows(draw(narrowView(view, columns)), " ".repeat(columns));
}

export const SEPARATOR = " · ";

export const INKS: Readonly<Record<Ink, Format>> = {
  ok: "green",
  fail: "red",
  warn: "yellow",
  quiet: "dim",
};

export function printWords(words: readonly Word[], { width, style }: BlockView): string {
  let room = width;
  const shown: string[] = [];
  for (const { text, ink } of words) {
    const separator = shown.length === 0 ? "" : SEPARATOR;
    if (text === "" || room <= separator.length) continue;
    const cut = cutText(sanitizeLine(text), room - separator.length);
    room -= separator.length + textWidth(cut);
    shown.push(
      style.paint("dim", separator) + style.paint(ink === undefined ? [] : INKS[ink], cut),
    );
  }
  return shown.join("");
}

export function wordsWidth(words: readonly Word[]): number {
  return words.reduce((sum, { text }) => sum + SEPARATOR.length + textWidth(text), 0);
}
