/**
 * Opening a file of the store: a regular file with one name, never a link that leads elsewhere.
 */
import { SessionError } from "../event/session_error.ts";
import { toSessionError } from "./io_error.ts";

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
    const opened = file.statSync();
    if (opened.dev !== seen.dev || opened.ino !== seen.ino) {
      const message = `Cannot open file of the store: it was replaced meanwhile: ${path}`;
      throw new SessionError("unsafe-store", message, { path });
    }
    return file;
  } catch (error) {
    file?.close();
    throw toSessionError(error, "open log", path);
  }
}
