/**
 * Opens another agent's SQLite database without any change to it or its folder. A plain open, even
 * to read, creates `-wal` and `-shm` files and leaves them.
 */
import { errorText } from "../../../core/event/error_text.ts";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { SessionError } from "../../../core/event/session_error.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { mayDoAll } from "../../../core/platform/process.ts";
import { notFound } from "../../../core/platform/system_error.ts";
import { borrowCopy, removeLeftCopies } from "./database_copy.ts";
import { hideComputed } from "./plain_tables.ts";
import { sizeOf, writesLog } from "./sqlite_file.ts";

/**
 * The way in which a database was opened.
 *
 * - `immutable`: by URL, with no other files beside the database.
 * - `shared`: by URL, with the `-wal` and `-shm` that its agent uses.
 * - `plain`: by path, because Deno without all permissions treats a URL as a path.
 * - `copy`: as a copy, because its agent crashed and left a `-wal` or a `-journal`. Also if opening
 *   the database by path would create files.
 */
type SqliteAccess = "immutable" | "shared" | "plain" | "copy";

export interface SqliteSource extends Disposable {
  readonly database: DatabaseSync;
  readonly access: SqliteAccess;
  /** Closes the database. Deletes the copy of it if one was made for reading. */
  close(): void;
}

const QUERIES = {
  immutable: "?immutable=1",
  // `readonly_shm`: otherwise a reader writes its marks into the `-shm`.
  shared: "?mode=ro&readonly_shm=1",
} as const;

const LOCKED_MS = 2000;

/**
 * Opens a database to read.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, and `unsupported-source` if the file is
 * not a database
 */
export function openSqlite(path: string): SqliteSource {
  try {
    removeLeftCopies();
    return (mayDoAll() ? openOriginal(path) : openPlain(path)) ?? openCopy(path);
  } catch (error) {
    throw sqliteError(error, path);
  }
}

export function sqliteError(error: unknown, path: string): SessionError {
  const { errcode } = error as { errcode?: number };
  if (errcode === undefined) return toSessionError(error, "read database", path);
  const reason = errorText(error);
  // 11: the file is damaged; 26: it is no database.
  const code = errcode % 256 === 11 || errcode % 256 === 26 ? "unsupported-source" : "io";
  return new SessionError(code, `Cannot read database: ${reason}: ${path}`, { path }, error);
}

/** Opens the database in place. Undefined if that fails or would change files. */
function openOriginal(path: string): SqliteSource | undefined {
  if (sizeOf(path) < 0) throw notFound("No such file or directory");
  if (sizeOf(`${path}-journal`) > 0) return undefined;
  if (sizeOf(`${path}-wal`) <= 0) return opened(path, "immutable");
  if (sizeOf(`${path}-shm`) < 0) return undefined;
  try {
    return opened(path, "shared");
  } catch (error) {
    // SQLITE_READONLY and SQLITE_CANTOPEN: the `-shm` is of no use to a reader.
    const { errcode = 0 } = error as { errcode?: number };
    if (errcode % 256 === 8 || errcode % 256 === 14) return undefined;
    throw error;
  }
}

/** Opens the database by its path. Undefined if that would create files next to it. */
function openPlain(path: string): SqliteSource | undefined {
  if (sizeOf(path) < 0) throw notFound("No such file or directory");
  if (sizeOf(`${path}-journal`) > 0 || sizeOf(`${path}-wal`) > 0 || writesLog(path)) {
    return undefined;
  }
  return opened(path, "plain");
}

function openCopy(path: string): SqliteSource {
  const copy = borrowCopy(path);
  try {
    return opened(copy.path, "copy", copy.giveBack);
  } catch (error) {
    copy.giveBack();
    throw error;
  }
}

function opened(
  path: string,
  access: SqliteAccess,
  cleanUp: () => void = () => {},
): SqliteSource {
  const by_address = access === "immutable" || access === "shared";
  const place = by_address ? new URL(QUERIES[access], pathToFileURL(path)) : path;
  const database = new DatabaseSync(place, { readOnly: true, timeout: LOCKED_MS });
  const close = (): void => {
    if (!database.isOpen) return;
    database.close();
    cleanUp();
  };
  try {
    database.exec("PRAGMA trusted_schema = off");
    // Opening reads nothing. The first query shows whether the database can be read.
    if (!hideComputed(database)) {
      const message =
        "Cannot read database: the database's schema (sqlite_master) has been manipulated: " +
        `${path}`;
      throw new SessionError("unsupported-source", message, { path });
    }
    return { database, access, close, [Symbol.dispose]: close };
  } catch (error) {
    database.close();
    throw error;
  }
}
