/** The title of a session in a list, which says what it was made from. */
import type { Summary } from "../../core/projection/summary_row.ts";
import { titleText } from "./integrity_mark.ts";
import { shortIds } from "./short_id.ts";

/**
 * Returns the title on one line, after the session that it was made from, if any: `[from
 * claude:3f2a9c1e] Fix the login`.
 */
export function originTitle(row: Summary): string {
  const { imported_from, parent } = row;
  const [origin] = imported_from !== undefined
    ? shortIds([{ agent: imported_from.agent, session_id: imported_from.id }])
    : parent !== undefined
    ? shortIds([{ agent: row.agent, session_id: parent.session_id }])
    : [];
  return origin === undefined ? titleText(row) : `[from ${origin}] ${titleText(row)}`;
}
