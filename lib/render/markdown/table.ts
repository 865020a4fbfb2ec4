/**
 * A Markdown table: columns that share the width, or, where there is no room for that, one record
 * after another.
 *
 * @module
 */
import type { Tokens } from "npm:marked@18.2.1";
import type { Style } from "../style.ts";
import { type Alignment, padText, textWidth } from "../text_width.ts";
import { wrapWords } from "../wrap.ts";
import { renderInline } from "./inline.ts";

const GAP = 3;
const MIN_COLUMN = 10;

/** How a table is shown. */
export interface TableOptions {
  width: number;
  style: Style;
}

/** Rows of a table. */
export function renderTable(table: Tokens.Table, options: TableOptions): string[] {
  const { style } = options;
  const header = table.header.map((cell) => renderInline(cell.tokens, style, ["bold"]));
  const body = table.rows.map((row) => row.map((cell) => renderInline(cell.tokens, style)));
  const natural = columnWidths([header, ...body]);
  const widths = shrinkColumns(natural, options.width - GAP * (header.length - 1));
  if (widths === undefined) return renderRecords(header, body, options);
  const align = table.align.map((alignment) => alignment ?? "left");
  const rule = widths.map((width) => "─".repeat(width)).join("─┼─");
  return [
    ...renderRow(header, widths, align, style),
    style.paint("dim", rule),
    ...body.flatMap((row) => renderRow(row, widths, align, style)),
  ];
}

function columnWidths(rows: readonly string[][]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      const width = greatest(cell.split("\n").map(textWidth));
      widths[column] = Math.max(widths[column] ?? 0, width);
    }
  }
  return widths;
}

/** Takes from the widest columns what is too much; `undefined` where too little would be left. */
function shrinkColumns(natural: readonly number[], room: number): number[] | undefined {
  const least = natural.map((width) => Math.min(width, MIN_COLUMN));
  if (total(least) > room) return undefined;
  const widths = [...natural];
  for (let excess = total(widths) - room; excess > 0; excess--) {
    const widest = widths.indexOf(greatest(widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function greatest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function renderRow(
  cells: readonly string[],
  widths: readonly number[],
  align: readonly Alignment[],
  style: Style,
): string[] {
  const wrapped = widths.map((width, column) => wrapWords(cells[column] ?? "", width));
  const height = greatest(wrapped.map((rows) => rows.length));
  const separator = style.paint("dim", " │ ");
  return Array.from({ length: height }, (_, line) =>
    widths
      .map((width, column) => padText(wrapped[column]?.[line] ?? "", width, align[column]))
      .join(separator)
      .trimEnd());
}

function renderRecords(
  header: readonly string[],
  body: readonly string[][],
  { width, style }: TableOptions,
): string[] {
  const records = body.map((row) =>
    row.flatMap((cell, column) => wrapWords(`${header[column] ?? ""}: ${cell}`, width))
  );
  const rule = style.paint("dim", "─".repeat(Math.min(width, MIN_COLUMN)));
  return records.flatMap((rows, index) => (index === 0 ? rows : [rule, ...rows]));
}
