/** Prints a page of a list of sessions. */
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import type { Context } from "../_context.ts";
import { fromCursor, pageRoom, queryFlags } from "../_page.ts";
import type { ListFlags } from "./list_flags.ts";

interface ListedRows {
  rows: readonly Summary[];
  /** The project's directories, or `undefined` for all projects. */
  directories: readonly string[] | undefined;
  table(rows: readonly Summary[]): string;
}

/** Prints one page of rows, starting at the cursor. Returns false if no row is left to print. */
export async function printListPage(
  { stdout }: Context,
  flags: ListFlags,
  { rows, directories, table }: ListedRows,
): Promise<boolean> {
  const { countThatFits, cutJsonLine, lastLines, Page } = await import(
    "../../lib/text/render/page/page.ts"
  );
  const { placeInRows, rowCursor } = await import("../../lib/text/render/page/places.ts");
  const { toJsonLine } = await import("../../lib/text/render/json_lines.ts");
  const { cursor, json = false, limit = Infinity } = flags;
  const query = { command: "list", query: { ...queryFlags(flags), directories } };
  const { row: start, offset } = cursor === undefined
    ? { row: 0, offset: 0 }
    : fromCursor(() => placeInRows(query, cursor, rows));
  const wanted = rows.slice(start, start + limit);
  const page = new Page(await pageRoom(flags), json ? cutJsonLine : undefined);
  let shown = 0;
  if (json) {
    const isAdded = (row: Summary, at: number): boolean =>
      page.add(at, toJsonLine(row), at === 0 ? offset : 0);
    while (shown < wanted.length && isAdded(wanted[shown] as Summary, shown)) shown++;
  } else {
    const [first] = wanted;
    const size = (rows: readonly Summary[]): number => table(rows).length;
    shown = offset === 0 ? countThatFits(wanted, size, page.room) : 0;
    if (shown > 0) page.add(0, table(wanted.slice(0, shown)));
    // A row may be longer than a page.
    else if (first !== undefined && page.add(0, table([first]), offset)) shown = 1;
  }
  stdout.write(page.text);
  const is_all = shown === wanted.length && start + shown === rows.length;
  const left = page.left === 0 ? 0 : page.next?.offset ?? 0;
  const next = is_all ? undefined : rowCursor(query, rows[start + shown - 1], left);
  stdout.write(lastLines(next, page.left, json ? "json" : "text"));
  return wanted.length > 0;
}
