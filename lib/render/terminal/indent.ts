/** Puts a mark before rows; an empty row gets no trailing space. */
export function indentRows(rows: readonly string[], mark: string): string[] {
  return rows.map((row) => (row === "" ? mark.trimEnd() : mark + row));
}
