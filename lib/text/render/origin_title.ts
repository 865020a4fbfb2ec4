/** The title of a session in a list, which says what it was made from. */
import type { Summary } from "../../core/projection/summary_row.ts";
import { titleText } from "./integrity_mark.ts";
import { sanitizeLine } from "./sanitize.ts";
import { shortIds } from "./short_id.ts";

/** Returns the title on one line, after the user's other machine that sent the session, if any. */
export function machineTitle({ machine, ...row }: Summary): string {
  return machine === undefined ? titleText(row) : `[on ${sanitizeLine(machine)}] ${titleText(row)}`;
}

/**
 * Returns the title on one line, after the session that it was made from, if any: `[from
 * claude:3f2a9c1e] Fix the login`. Also after the machine that sent it.
 */
export function originTitle(row: Summary): string {
  const { imported_from, parent } = row;
  const [origin] = imported_from !== undefined
    ? shortIds([{ agent: imported_from.agent, session_id: imported_from.id }])
    : parent !== undefined
    ? shortIds([{ agent: row.agent, session_id: parent.session_id }])
    : [];
  return origin === undefined ? machineTitle(row) : `[from ${origin}] ${machineTitle(row)}`;
}
