/**
 * Opening what is to be read from its beginning: only a regular file, for a pipe would block.
 */
import { SessionError } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";

/**
 * Opens a file.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openRegularFile(path: string): Deno.FsFile {
  try {
    if (Deno.statSync(path).isFile) return Deno.openSync(path, { read: true });
  } catch (error) {
    throw toSessionError(error, "open log", path);
  }
  const message = `Cannot read log: not a file: ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}
