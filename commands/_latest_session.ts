/** Finds the session for a command line that names none: the project's latest session. */
import { SessionError } from "../lib/core/event/session_error.ts";
import { present } from "../lib/core/event/present.ts";
import { rowsOf } from "../lib/library/query/candidate.ts";
import { type Context, timeFormat } from "./_context.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { findScoped } from "./_scope.ts";

/**
 * Returns the reference of this project's latest session, and prints its title to stderr.
 *
 * @throws {SessionError} `not-found`
 */
export async function latestRef(context: Context, agent?: string): Promise<string> {
  const flags = present({ here: true as const, agent });
  const asked = { limit: 1, rows: true };
  const { entries } = await findScoped(context, contextLibrary(context), flags, asked);
  const [row] = await rowsOf(entries);
  if (row !== undefined) {
    const { sanitizeLine } = await import("../lib/text/render/sanitize.ts");
    const when = row.updated_at === undefined ? "" : `${timeFormat(context)(row.updated_at)}  `;
    await say(context, `Latest session: ${row.ref}  ${when}${sanitizeLine(row.title)}`);
    return row.ref;
  }
  const whose = agent === undefined ? "" : ` by ${agent}`;
  const message = `Cannot find a session of ${context.cwd}${whose}; see: reprise list --all`;
  throw new SessionError("not-found", message);
}
