/** Writes the title of a session in a row of a table. */
import type { Summary } from "../projection/summary_row.ts";
import { markedTitle } from "./integrity_mark.ts";
import { sanitizeLine } from "./sanitize.ts";

/** The title on one line, with a mark where the log was altered; `-` where there is none. */
export function titleText({ title, altered }: Summary): string {
  return markedTitle(sanitizeLine(title.replace(/\s+/g, " ").trim()) || "-", altered);
}
