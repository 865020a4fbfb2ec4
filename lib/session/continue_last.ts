/** Opens the newest session of a directory that can be opened. */
import { SessionError } from "../event/session_error.ts";
import type { Summary } from "../projection/summary_row.ts";
import type { Session } from "./session.ts";

/**
 * Opens the first session that nobody writes; undefined where there is none.
 *
 * @throws {SessionError} What `open` throws, but `locked`.
 */
export async function openFirstFree(
  rows: readonly Pick<Summary, "ref">[],
  open: (ref: string) => Promise<Session>,
): Promise<Session | undefined> {
  for (const { ref } of rows) {
    try {
      return await open(ref);
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== "locked") throw error;
    }
  }
  return undefined;
}
