/** Opens the rows of a session in a database, and reports rows that are too large to read. */
import { basename } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import type { RecordSink } from "../records/source_record.ts";
import { SQLITE_BOUNDS } from "./bounded_query.ts";
import { SqliteReader } from "./sqlite_reader.ts";

/**
 * Opens a session's rows in a database. Closing the rows closes the database.
 *
 * @param open Returns the rows. Undefined if the database does not have the session.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openedRows<Rows extends { countRest?(sink: RecordSink): void }>(
  { path, id }: { path: string; id: string },
  open: (reader: SqliteReader) => Rows | undefined,
): Rows {
  const reader = new SqliteReader(path);
  try {
    const rows = open(reader);
    if (rows === undefined) throw notInDatabase({ path, id });
    const countRest = (sink: RecordSink): void => {
      rows.countRest?.(sink);
      reader.reportCutRows(sink);
    };
    return { ...rows, countRest };
  } catch (error) {
    reader[Symbol.dispose]();
    throw error;
  }
}

/** Returns the error for an unknown id, or for the id that stands for rows too large to read. */
export function notInDatabase({ path, id }: { path: string; id: string }): SessionError {
  if (id !== cutRowsId(path)) {
    const message = `Cannot read session: the database has no session ${id}: ${path}`;
    return new SessionError("not-found", message, { path, ref: id });
  }
  const most = `${SQLITE_BOUNDS.cell_bytes / 1024 / 1024} MiB`;
  const message = `Cannot read database: some session rows are larger than the limit of ${most}: ` +
    `${path}`;
  return new SessionError("unsupported-source", message, { path });
}

function cutRowsId(path: string): string {
  return basename(path);
}

/** Returns the sessions, and a placeholder that fails when read if some rows are too large. */
export function withCutRows<Session extends { id: string }>(
  reader: SqliteReader,
  sessions: readonly Session[],
): (Session | { id: string })[] {
  return reader.has_cut_rows ? [...sessions, { id: cutRowsId(reader.path) }] : [...sessions];
}
