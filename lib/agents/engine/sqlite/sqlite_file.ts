/** Recognizes an SQLite database and its files without opening the database in SQLite. */
import { SessionError } from "../../../core/event/session_error.ts";
import { openRegularFile } from "../../../core/file/regular_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { readWhole } from "../../../core/log/read_whole.ts";
import { statSync } from "../../../core/platform/files.ts";
import { isNotFound } from "../../../core/platform/system_error.ts";

const SIGNATURE = new TextEncoder().encode("SQLite format 3\0");

export function isSqlite(head: Uint8Array): boolean {
  return SIGNATURE.every((byte, index) => head[index] === byte);
}

/**
 * True if a file begins with SQLite's signature.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`
 */
export function isSqliteFile(path: string): boolean {
  try {
    using file = openRegularFile(path).file;
    return isSqlite(readWhole(file, new Uint8Array(SIGNATURE.length)));
  } catch (error) {
    // A folder or a pipe begins with nothing.
    if (error instanceof SessionError) return false;
    throw toSessionError(error, "read session", path);
  }
}

/** Returns a file's size, or -1 if there is none. Throws for pipes, at which SQLite would hang. */
export function sizeOf(path: string): number {
  try {
    const { isFile, size } = statSync(path);
    if (isFile) return size;
    const message = `Cannot read database: the path is not a file: ${path}`;
    throw new SessionError("unsupported-source", message, { path });
  } catch (error) {
    if (isNotFound(error)) return -1;
    throw error;
  }
}

/** True if a database is in WAL mode, so that opening it normally creates files next to it. */
export function writesLog(path: string): boolean {
  using file = openRegularFile(path).file;
  const head = readWhole(file, new Uint8Array(VERSION_AT + 1));
  return head[VERSION_AT] === LOG_VERSION;
}

/** Offset of the header's read version, which is 2 in WAL mode (sqlite.org/fileformat.html). */
const VERSION_AT = 19;
const LOG_VERSION = 2;

export const SQLITE_ENDINGS = ["", "-wal", "-journal"] as const;

export function sqliteFiles(path: string): string[] {
  return SQLITE_ENDINGS.map((ending) => path + ending);
}
