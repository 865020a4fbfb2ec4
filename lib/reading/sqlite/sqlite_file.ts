/** Recognizes an SQLite database and its files, without opening it as one. */
import { SessionError } from "../../event/session_error.ts";
import { openRegularFile } from "../../file/regular_file.ts";
import { toSessionError } from "../../log/io_error.ts";
import { readWhole } from "../../log/read_whole.ts";

const SIGNATURE = new TextEncoder().encode("SQLite format 3\0");

export function isSqlite(head: Uint8Array): boolean {
  return SIGNATURE.every((byte, index) => head[index] === byte);
}

/**
 * True if a file begins as a database does.
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

/** The endings of a database's files, its own first. */
export const SQLITE_ENDINGS = ["", "-wal", "-journal"] as const;

/** Returns the files of a database. */
export function sqliteFiles(path: string): string[] {
  return SQLITE_ENDINGS.map((ending) => path + ending);
}
