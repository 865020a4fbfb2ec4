/** Continues the newest session that can be continued, or begins one and says why. */
import type { AppInfo } from "../event/payload.ts";
import { SessionError, type SessionErrorCode } from "../event/session_error.ts";
import type { Summary } from "../projection/summary_row.ts";
import type { Session } from "./session.ts";

/** Codes of one session that cannot be read, while its store can be used. */
const UNREADABLE: ReadonlySet<SessionErrorCode> = new Set([
  ...["damaged", "unsupported-version", "not-found", "permission", "io"] as const,
]);

/** True if a log's head can be read: it names the directory. */
function hasHead({ cwd }: Pick<Summary, "cwd">): boolean {
  return cwd !== undefined;
}

/**
 * Returns the sessions that a program may continue. With a name, these are the sessions that it
 * began, and those whose program cannot be read. Leaves out copies of other agents' sessions: a
 * backup would always be the newest one.
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
 * Opens the first session that has no writer. One that can only be read goes on all the same: its
 * first append says why it fails. Begins one if there is none, or if that one cannot be read: an older
 * one would be another talk.
 *
 * @param app The program. A session that may be another one's is not continued.
 * @param open Opens a session to append.
 * @param read Opens one that cannot be locked.
 * @throws {SessionError} What `open` throws of the store as a whole.
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
