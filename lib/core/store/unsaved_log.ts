/** Logs without an acknowledged event: a full disk or a kill stopped the first append. */
import { join } from "node:path";
import { SessionError } from "../event/session_error.ts";
import { changeTime } from "../file/presence.ts";
import { removeQuietly } from "../file/remove_quietly.ts";
import { readShortFile } from "../file/short_file.ts";
import { mayBeLocked } from "../log/session_lock.ts";
import { isSystemError } from "../log/io_error.ts";
import { lstatSync } from "../platform/files.ts";
import { isNotFound } from "../platform/system_error.ts";
import type { Summary } from "../projection/summary_row.ts";

/** Maximum size in bytes of a log that may count as unsaved. A longer log counts as saved. */
const LONGEST_UNSAVED = 64 * 1024 * 1024;
const LF = 0x0a;
const NUL = 0;

/**
 * True if a log holds at most its first event and a piece of a line. No event was acknowledged
 * then, because the first append writes at least two events. False for a fork, whose first event
 * was acknowledged.
 *
 * @param row The log's row in a list.
 */
export function isUnsaved(
  { path, last_seq = 0, cwd, parent }:
    & Pick<Summary, "path">
    & Partial<Pick<Summary, "last_seq" | "cwd" | "parent">>,
): boolean {
  if (last_seq > 1 || parent?.seq !== undefined) return false;
  if (last_seq === 1 && cwd === undefined) return false;
  return wholeLines(path) <= last_seq;
}

export function unreadable(path: string): SessionError {
  return new SessionError(
    "damaged",
    `Cannot read session: the log has no readable event: ${path}`,
    {
      path,
    },
  );
}

/** Removes a session's lock, and its folder if no other file is in it. */
export function discardFolder(directory: string): void {
  for (const name of ["lock.json", "lock"]) removeQuietly(join(directory, name));
  removeQuietly(directory);
}

/**
 * Milliseconds in which a new folder without a log counts as being made. Its lock may be taken by a
 * program that starts slowly.
 */
const MAKING_MS = 60_000;

/**
 * Removes a log that has no event and no writer, so that its id is free again. Also removes an old
 * folder in which a killed process made no log.
 *
 * @returns True if the log or the folder was removed.
 */
export function discardUnsaved({ directory, path }: Record<"directory" | "path", string>): boolean {
  const is_empty = isMissing(path) ? !isBeingMade(directory) : wholeLines(path) === 0;
  if (!is_empty || mayBeLocked(directory)) return false;
  removeQuietly(path);
  discardFolder(directory);
  return true;
}

/** True if nothing is at the path. A path that cannot be looked at may have something. */
export function isMissing(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return isNotFound(error);
  }
}

function isBeingMade(directory: string): boolean {
  const since = changeTime(join(directory, "lock")) || changeTime(directory);
  return Date.now() - since < MAKING_MS;
}

/** Returns a log's number of whole lines; Infinity if the log is unreadable or has NUL bytes. */
function wholeLines(path: string): number {
  try {
    const bytes = readShortFile(path, LONGEST_UNSAVED);
    // A power cut left NUL bytes in the place of saved events.
    if (bytes.includes(NUL)) return Infinity;
    return bytes.filter((byte) => byte === LF).length;
  } catch (error) {
    if (error instanceof SessionError || isSystemError(error)) return Infinity;
    throw error;
  }
}
