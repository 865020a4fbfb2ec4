/**
 * The lines of a change, side by side.
 *
 * @module
 */
import type { DiffLine } from "../../event/payload.ts";

/** A row: what heads the lines below it, or a line as it was and as it is. */
export type DiffRow = { hunk: string } | { before?: DiffLine; after?: DiffLine };

/** Rows of lines: of what went and what came in its place, the first stands by the first. */
export function diffRows(lines: readonly DiffLine[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  function settle(): void {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [before, after] = [removed[at], added[at]];
      rows.push({ ...(before && { before }), ...(after && { after }) });
    }
    removed = [];
    added = [];
  }
  for (const line of lines) {
    if (line.kind === "removed") {
      if (added.length > 0) settle();
      removed.push(line);
    } else if (line.kind === "added") added.push(line);
    else {
      settle();
      rows.push(line.kind === "hunk" ? { hunk: line.content } : { before: line, after: line });
    }
  }
  settle();
  return rows;
}
