/** Tables of pages, in Markdown as `deno fmt` leaves it. */

/** Returns a table. @param rows The heads of the columns, then the rows. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[], fill = " "): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0, fill)).join(" | ")} |`;
  return [line(head), line(head.map(() => ""), "-"), ...body.map((row) => line(row))].join("\n");
}
