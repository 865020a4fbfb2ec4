/** Prose behind a mark: the first row carries it, the others stand below the text. */
import type { Format } from "../style.ts";
import { renderProse } from "./prose.ts";
import { narrowView, type View } from "./view.ts";

const LIMITS = { head: 8, tail: 4 };

/** Rows of a text behind a mark of one column, both in one colour. */
export function renderMarked(mark: string, text: string, view: View, format: Format): string[] {
  const rows = renderProse(text, narrowView(view, 2), { format, limits: LIMITS });
  if (rows.length === 0) return [view.style.paint(format, mark)];
  return rows.map((row, index) => {
    if (index === 0) return `${view.style.paint(format, mark)} ${row}`;
    return row === "" ? "" : `  ${row}`;
  });
}
