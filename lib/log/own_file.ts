/**
 * Opening a file of the store: a regular file with one name, never a link that leads elsewhere.
 */
import { SessionError } from "../event/session_error.ts";
import { toSessionError } from "./io_error.ts";

/** Opens a file, or makes it where there is none. */
export function openOrMakeOwnFile(path: string, options: Deno.OpenOptions): Deno.FsFile {
  try {
    return Deno.openSync(path, { ...options, createNew: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return openOwnFile(path, options);
    throw toSessionError(error, "create file", path);
  }
}

/** Windows does not tell it of every open file; there, links are for administrators anyway. */
function isSameFile(opened: Deno.FileInfo, seen: Deno.FileInfo): boolean {
  return Deno.build.os === "windows" || (opened.dev === seen.dev && opened.ino === seen.ino);
}

/** Opens a file that exists. The file that was looked at is the one that is opened. */
export function openOwnFile(path: string, options: Deno.OpenOptions): Deno.FsFile {
  let file: Deno.FsFile | undefined;
  try {
    const seen = Deno.lstatSync(path);
    if (!seen.isFile || (seen.nlink !== null && seen.nlink > 1)) {
      const message = `Cannot open file of the store: not a plain file with one name: ${path}`;
      throw new SessionError("unsafe-store", message, { path });
    }
    file = Deno.openSync(path, options);
    if (!isSameFile(file.statSync(), seen)) {
      const message = `Cannot open file of the store: it was replaced meanwhile: ${path}`;
      throw new SessionError("unsafe-store", message, { path });
    }
    return file;
  } catch (error) {
    file?.close();
    throw toSessionError(error, "open log", path);
  }
}
