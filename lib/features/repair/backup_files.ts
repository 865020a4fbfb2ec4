/**
 * Keeps the backups of a session beside it: `FILE.reprise-bak-<time>-<hash>`. A backup is a hard
 * link to the original file, so it keeps the file's times and mode. The hash is that of the
 * repaired file. An undo uses it to tell if the session was continued. No client lists a file of
 * this name.
 */
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { linkSync, readDirSync } from "../../core/platform/files.ts";
import {
  isAlreadyExists,
  isNotSupported,
  isPermissionDenied,
} from "../../core/platform/system_error.ts";

const MARK = ".reprise-bak-";
const HASH_LENGTH = 16;
const NAME = /^\d{8}T\d{6}Z-([0-9a-f]{16})(?:-\d+)?$/;
const MOST_NAMES = 100;

interface SessionBackup {
  path: string;
  /** Start of the SHA-256 of the repaired file. */
  repaired: string;
}

/** Lists the backups of a session, the latest first. */
export function backupsOf(path: string): SessionBackup[] {
  const prefix = basename(path) + MARK;
  try {
    return [...readDirSync(dirname(path))].flatMap(({ name }) => {
      const repaired = name.startsWith(prefix)
        ? NAME.exec(name.slice(prefix.length))?.[1]
        : undefined;
      return repaired === undefined ? [] : [{ path: join(dirname(path), name), repaired }];
    }).sort((one, other) => one.path < other.path ? 1 : -1);
  } catch (error) {
    throw toSessionError(error, "look for backups", dirname(path));
  }
}

export function isRepairedOf({ repaired }: SessionBackup, sha256: string): boolean {
  return sha256.startsWith(repaired);
}

/**
 * Links the session's file to a backup name, and never replaces a file. `sha256` is the hash of the
 * repaired file.
 *
 * @throws {SessionError} `permission`, `io`
 */
export function keepBackup(path: string, sha256: string, time: Date): string {
  const stamp = time.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const name = `${path}${MARK}${stamp}-${sha256.slice(0, HASH_LENGTH)}`;
  for (let count = 1; count <= MOST_NAMES; count++) {
    const backup = count === 1 ? name : `${name}-${count}`;
    try {
      linkSync(path, backup);
      return backup;
    } catch (error) {
      if (isAlreadyExists(error)) continue;
      throw noLink(error, path);
    }
  }
  throw new SessionError("io", `Cannot create backup: a file with this name exists: ${name}`, {
    path,
  });
}

function noLink(error: unknown, path: string): SessionError {
  if (!isNotSupported(error) && !isPermissionDenied(error)) {
    return toSessionError(error, "create backup", path);
  }
  const message = "Cannot back up the original before the repair: nothing can be written to its " +
    `folder, or hard links cannot; write a repaired copy with --out: ${path}`;
  return new SessionError("permission", message, { path }, error);
}
