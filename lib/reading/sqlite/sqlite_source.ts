/**
 * Opens another agent's SQLite database without any change to it or its folder. A plain open, even
 * to read, creates `-wal` and `-shm` files and leaves them.
 */
import { errorText } from "../../event/error_text.ts";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { SessionError } from "../../event/session_error.ts";
import { toSessionError } from "../../log/io_error.ts";
import {
  chmodSync,
  copyFileSync,
  makeTempDirSync,
  removeSync,
  statSync,
} from "../../platform/files.ts";
import { isNotFound, notFound } from "../../platform/system_error.ts";
import { SQLITE_ENDINGS } from "./sqlite_file.ts";

/**
 * The way in which a database was opened. `immutable`: nothing is beside it. `shared`: with the
 * `-wal` and `-shm` that its agent uses. `copy`: its agent crashed and left a `-wal` or a
 * `-journal`.
 */
type SqliteAccess = "immutable" | "shared" | "copy";

export interface SqliteSource extends Disposable {
  readonly database: DatabaseSync;
  readonly access: SqliteAccess;
  /** Closes it, and deletes the copy if there is one. */
  close(): void;
}

interface Way {
  access: SqliteAccess;
  /** The address's part behind the path. */
  query: string;
}

const IMMUTABLE: Way = { access: "immutable", query: "?immutable=1" };
// `readonly_shm`: else a reader writes its marks into the `-shm`.
const SHARED: Way = { access: "shared", query: "?mode=ro&readonly_shm=1" };
const COPY: Way = { access: "copy", query: "?mode=ro" };
const ATTEMPTS = 3;

/**
 * Opens a database to read.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`; `unsupported-source` when it is none
 */
export function openSqlite(path: string): SqliteSource {
  try {
    return openOriginal(path) ?? openCopy(path);
  } catch (error) {
    throw sqliteError(error, path);
  }
}

/** Returns the typed error for an error of a database. */
export function sqliteError(error: unknown, path: string): SessionError {
  const { errcode } = error as { errcode?: number };
  if (errcode === undefined) return toSessionError(error, "read database", path);
  const reason = errorText(error);
  // 11: the file is damaged; 26: it is no database.
  const code = errcode % 256 === 11 || errcode % 256 === 26 ? "unsupported-source" : "io";
  return new SessionError(code, `Cannot read database: ${reason}: ${path}`, { path }, error);
}

/** Opens the database in place; undefined if that would change something or fails. */
function openOriginal(path: string): SqliteSource | undefined {
  if (sizeOf(path) < 0) throw notFound("No such file or directory");
  if (sizeOf(`${path}-journal`) > 0) return undefined;
  if (sizeOf(`${path}-wal`) <= 0) return opened(path, IMMUTABLE);
  if (sizeOf(`${path}-shm`) < 0) return undefined;
  try {
    return opened(path, SHARED);
  } catch (error) {
    // SQLITE_READONLY and SQLITE_CANTOPEN: the `-shm` is of no use to a reader.
    const { errcode = 0 } = error as { errcode?: number };
    if (errcode % 256 === 8 || errcode % 256 === 14) return undefined;
    throw error;
  }
}

function opened(
  path: string,
  { access, query }: Way,
  cleanUp: () => void = () => {},
): SqliteSource {
  const database = new DatabaseSync(new URL(query, pathToFileURL(path)), { readOnly: true });
  const close = (): void => {
    if (database.isOpen) database.close();
    cleanUp();
  };
  try {
    // Opening reads nothing: the first question tells whether it can be read.
    database.prepare("SELECT count(*) FROM sqlite_master").get();
    return { database, access, close, [Symbol.dispose]: close };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens a copy of a database and of the files that its agent left beside it. */
function openCopy(path: string): SqliteSource {
  for (let attempt = 1;; attempt++) {
    const folder = makeTempDirSync({ prefix: "reprise-" });
    const remove = (): void => removeSync(folder, { recursive: true });
    try {
      const before = stateOf(path);
      const copy = join(folder, "copy.db");
      for (const suffix of SQLITE_ENDINGS) {
        if (sizeOf(path + suffix) >= 0) copyFileSync(path + suffix, copy + suffix);
      }
      if (stateOf(path) === before) return openedCopy(copy, remove);
      if (attempt === ATTEMPTS) {
        const message = `Cannot read database: it keeps changing: ${path}`;
        throw new SessionError("io", message, { path });
      }
    } catch (error) {
      remove();
      throw error;
    }
    remove();
  }
}

/** Opens our copy, in which SQLite may write to recover it. */
function openedCopy(copy: string, remove: () => void): SqliteSource {
  chmodSync(copy, 0o600);
  for (const suffix of SQLITE_ENDINGS.slice(1)) {
    if (sizeOf(copy + suffix) >= 0) chmodSync(copy + suffix, 0o600);
  }
  const recovery = new DatabaseSync(copy);
  recovery.prepare("SELECT count(*) FROM sqlite_master").get();
  recovery.close();
  return opened(copy, COPY, remove);
}

/** Returns the size of a file, or -1 if there is none. SQLite itself would wait for a pipe. */
function sizeOf(path: string): number {
  try {
    const { isFile, size } = statSync(path);
    if (isFile) return size;
    const message = `Cannot read database: not a file: ${path}`;
    throw new SessionError("unsupported-source", message, { path });
  } catch (error) {
    if (isNotFound(error)) return -1;
    throw error;
  }
}

/** Sizes and times of a database's files: when they are the same, it did not change. */
function stateOf(path: string): string {
  return SQLITE_ENDINGS.map((suffix) => {
    if (sizeOf(path + suffix) < 0) return "absent";
    const { size, mtime } = statSync(path + suffix);
    return `${size} ${mtime?.getTime()}`;
  }).join(", ");
}
