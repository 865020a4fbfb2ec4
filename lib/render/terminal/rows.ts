/** Rows behind a mark. */
import type { BlockView } from "./view.ts";

/** Puts a mark before each row; an empty row gets no trailing space. */
export function markRows(rows: readonly string[], mark: string): string[] {
  return rows.map((row) => (row === "" ? mark.trimEnd() : mark + row));
}

/** Puts a mark before the first row and sets the others below its text. */
export function hangRows(rows: readonly string[], mark: string, columns: number): string[] {
  const margin = " ".repeat(columns);
  return rows.map((row, index) => index === 0 ? mark + row : row === "" ? "" : margin + row);
}

/** Rows that are set in; none where nothing is drawn. */
export function setIn(
  view: BlockView,
  columns: number,
  draw: (inner: BlockView) => string[],
): string[] {
  const inner = { ...view, width: Math.max(1, view.width - columns) };
  return markRows(draw(inner), " ".repeat(columns));
}
