/** Writes the title of a session in a list, with the session's origin. */
import type { Summary } from "../../core/projection/summary_row.ts";
import { TEAM_REF } from "../../core/store/ref.ts";
import { titleText } from "./integrity_mark.ts";
import { sanitizeLine } from "./sanitize.ts";
import { shortIds } from "./short_id.ts";

/**
 * Returns the title on one line. A prefix names the user's other machine that sent the session, or
 * the team member who shares it.
 */
export function machineTitle({ machine, ...row }: Summary): string {
  const title = titleText(row);
  if (machine !== undefined) return `[on ${sanitizeLine(machine)}] ${title}`;
  const member = memberOf(row);
  return member === undefined ? title : `[by ${sanitizeLine(member)}] ${title}`;
}

/** Returns the member who shares a session, or `you` for the user. `undefined` if not shared. */
export function memberOf({ ref }: Pick<Summary, "ref">): string | undefined {
  if (!ref.startsWith(TEAM_REF)) return undefined;
  const slash = ref.lastIndexOf("/");
  return slash < 0 ? "you" : ref.slice(TEAM_REF.length, slash);
}

/**
 * Returns the title on one line. A prefix names the session that this session was made from:
 * `[from claude:3f2a9c1e] Fix the login`. The prefix of {@linkcode machineTitle} follows it.
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
