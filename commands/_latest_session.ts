/** Finds the default session of a command. */
import { SessionError } from "../lib/event/session_error.ts";
import type { Context } from "./_context.ts";
import { contextLibrary } from "./_library.ts";
import { findScoped } from "./_scope.ts";

/**
 * Returns the reference of this project's newest session, whichever agent has it.
 *
 * @throws {SessionError} `not-found`
 */
export async function latestRef(context: Context): Promise<string> {
  const { entries: [last] } = await findScoped(context, contextLibrary(context), { here: true }, {
    limit: 1,
  });
  if (last !== undefined) return last.ref;
  const message = `Cannot find a session of ${context.cwd}; see: reprise list --all`;
  throw new SessionError("not-found", message);
}
