/** Renders tables on a terminal, for example of sessions, usage or threads. */
import type { Format, Style } from "./style.ts";
import { type Alignment, cutText, padText, textWidth } from "./text_width.ts";

export interface TableColumn {
  name: string;
  /** The cells, one for each row, without control characters. */
  cells: readonly string[];
  /** @default {"left"} */
  align?: Alignment;
  /** Columns of low weight are left out first if space is short. @default {never left out} */
  weight?: number;
  /** Returns the format of the cell in a row, given the row's index. @default {none} */
  format?: (row: number) => Format | [];
  /** Adds escapes within a cell's text after the cut. Only for the last column. @default {none} */
  mark?: (text: string) => string;
}

interface TableOptions {
  /** Width in columns. `Infinity` for a pipe, where nothing is cut or left out. */
  width: number;
  style: Style;
  /** Minimum width of the last column. Other columns are left out to reach it. @default {0} */
  least_last?: number;
  /** True if the first line names the columns. @default {true} */
  with_names?: boolean;
}

export const GAP = 2;

/** Renders a table. The last column takes the width that is left, and is cut there. */
export function renderTable(columns: readonly TableColumn[], options: TableOptions): string[] {
  return [...tableLines(columns, options)];
}

export function* tableLines(
  columns: readonly TableColumn[],
  { width, style, least_last = 0, with_names = true }: TableOptions,
): Generator<string> {
  const last = columns.at(-1);
  if (last === undefined) return;
  const widths = new Map(columns.slice(0, -1).map((column) => [column, columnWidth(column)]));
  // A number is never cut.
  const least = last.align === "right" ? columnWidth(last) : least_last;
  const fixed = fitColumns(widths, width - least);
  const sizes = fixed.map((column) => widths.get(column) ?? 0);
  const room = width - sizes.reduce((sum, size) => sum + size + GAP, 0);
  const own = last.align === "right" ? Math.min(room, columnWidth(last)) : 0;
  const names = fixed.map(({ name, align }, at) => padText(name, sizes[at] ?? 0, align));
  const head = [...names, padText(cutText(last.name, room), own, last.align)].join("  ");
  if (with_names) yield style.paint("dim", head.trimEnd());
  for (let row = 0; row < last.cells.length; row++) {
    const cells = fixed.map(({ cells, align, format }, at) =>
      style.paint(format?.(row) ?? [], padText(cells[row] ?? "", sizes[at] ?? 0, align))
    );
    const end = padText(cutText(last.cells[row] ?? "", room), own, last.align);
    yield [...cells, style.paint(last.format?.(row) ?? [], last.mark?.(end) ?? end)].join("  ")
      .trimEnd();
  }
}

/** Keeps all columns without a weight, then those of highest weight while they fit in `width`. */
function fitColumns(widths: ReadonlyMap<TableColumn, number>, width: number): TableColumn[] {
  const columns = [...widths.keys()];
  const fitting = new Set<TableColumn>();
  let room = width;
  for (const column of columns.toSorted((left, right) => weightOf(right) - weightOf(left))) {
    const taken = (widths.get(column) ?? 0) + GAP;
    if (taken > room && column.weight !== undefined) continue;
    fitting.add(column);
    room -= taken;
  }
  return columns.filter((column) => fitting.has(column));
}

function weightOf({ weight = Number.MAX_VALUE }: TableColumn): number {
  return weight;
}

export function columnWidth({ name, cells }: TableColumn): number {
  return cells.reduce((most, cell) => Math.max(most, textWidth(cell)), textWidth(name));
}
