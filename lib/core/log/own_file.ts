/**
 * Finds and opens files of the store, and appends lines to them. Such a file is a regular file with
 * one name, never a link that leads elsewhere.
 */
import { SessionError } from "../event/session_error.ts";
import { isSameFile } from "../file/regular_file.ts";
import type { FileOpenOptions, OpenFile } from "../platform/file_system.ts";
import { lstatSync, openSync } from "../platform/files.ts";
import { isAlreadyExists, isNotFound } from "../platform/system_error.ts";
import { toSessionError } from "./io_error.ts";
import { writeWhole } from "./write_whole.ts";

export const LOG_FILE = "transcript_events.jsonl";

/** True if the path exists, even as a dangling link. `action` is for the error's message. */
export function exists(path: string, action: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw toSessionError(error, action, path);
  }
}

export function openOrMakeOwnFile(path: string, options: FileOpenOptions): OpenFile {
  try {
    return openSync(path, { ...options, createNew: true, mode: 0o600 });
  } catch (error) {
    if (isAlreadyExists(error)) return openOwnFile(path, options);
    throw toSessionError(error, "create file", path);
  }
}

/** Fails for a link, and if the file is replaced while it is opened. */
export function openOwnFile(path: string, options: FileOpenOptions): OpenFile {
  let file: OpenFile | undefined;
  try {
    const seen = lstatSync(path);
    if (!seen.isFile || (seen.nlink !== null && seen.nlink > 1)) {
      const message =
        "Cannot open file of the store: the path is not a regular file, or the file has a " +
        `second name (a hard link): ${path}`;
      throw new SessionError("unsafe-store", message, { path });
    }
    file = openSync(path, options);
    if (!isSameFile(file.statSync(), seen)) {
      const message =
        `Cannot open file of the store: another process replaced the file meanwhile: ${path}`;
      throw new SessionError("unsafe-store", message, { path });
    }
    return file;
  } catch (error) {
    file?.close();
    throw toSessionError(error, "open log", path);
  }
}

/**
 * Appends a value as one line of JSON in one write, and syncs the file. Begins with a newline, so
 * that a torn line at the file's end does not spoil the new line.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `io` if the file cannot be opened. If a
 * write or the sync fails, the system's own error is thrown.
 */
export function appendLine(path: string, value: unknown): void {
  const file = openOrMakeOwnFile(path, { append: true });
  try {
    // An empty line costs nothing; a torn one before it would cost this one.
    writeWhole(file, new TextEncoder().encode(`\n${JSON.stringify(value)}\n`));
    file.syncDataSync();
  } finally {
    file.close();
  }
}
