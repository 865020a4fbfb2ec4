/** Continues the newest session that can be continued, or begins one and says why. */
import type { AppInfo } from "../event/payload.ts";
import { SessionError, type SessionErrorCode } from "../event/session_error.ts";
import type { Summary } from "../projection/summary_row.ts";
import type { Session } from "./session.ts";

/** Error codes of a session that cannot be read, although its store can be used. */
const UNREADABLE: ReadonlySet<SessionErrorCode> = new Set([
  ...["damaged", "unsupported-version", "not-found", "permission", "io"] as const,
]);

/** True if the log's first event could be read, because that event names the directory. */
function hasHead({ cwd }: Pick<Summary, "cwd">): boolean {
  return cwd !== undefined;
}

/**
 * Returns the sessions that a program may continue. With `app`, these are the sessions that `app`
 * began, and sessions whose first event cannot be read. Leaves out imported sessions, because a
 * backup of another agent's session would always be the newest.
 */
export function continuable<Row extends Pick<Summary, "app" | "cwd" | "imported_from">>(
  rows: readonly Row[],
  app: AppInfo | undefined,
): Row[] {
  return rows.filter((row) =>
    row.imported_from === undefined &&
    (app === undefined || row.app === app.name || !hasHead(row))
  );
}

/**
 * Opens the first session in `rows` that no process writes. If the disk does not allow writes, the
 * session is opened, and its first append fails. Begins a new session if every session has a
 * writer, or if the found session cannot be read. An older session is not opened instead: it is
 * another conversation.
 *
 * @param app The program. A session that another program may have begun is not continued.
 * @param open Opens a session to append.
 * @param read Opens a session that cannot be locked.
 * @throws {SessionError} Errors of `open` that concern the whole store.
 */
export async function continueLast(
  rows: readonly Pick<Summary, "ref" | "path" | "cwd">[],
  { app, open, read, begin }: {
    app: AppInfo | undefined;
    open(ref: string): Promise<Session>;
    read(ref: string): Promise<Session>;
    begin(): Session;
  },
): Promise<Session> {
  for (const row of rows) {
    const { ref, path } = row;
    try {
      const session = await open(ref).catch((error) => {
        if (error instanceof SessionError && error.code === "permission") return read(ref);
        throw error;
      });
      if (app === undefined || hasHead(row)) return session;
      await session.release();
      const why = `the session's first event cannot be read, so its program is unknown: ${path}`;
      throw new SessionError("damaged", why, { path });
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      if (error.code === "locked") continue;
      if (!UNREADABLE.has(error.code)) throw error;
      const message = `Cannot continue session ${ref}, so a new one begins: ${error.message}`;
      const session = begin();
      session.skipped = new SessionError(error.code, message, error.data, error);
      return session;
    }
  }
  return begin();
}
