/** Reports the content of a data root's cache folder, and removes the folder. */
import { join } from "node:path";
import { toSessionError } from "../../../core/log/io_error.ts";
import { lstatSync, readDirSync, removeSync } from "../../../core/platform/files.ts";
import { isNotFound } from "../../../core/platform/system_error.ts";
import { openFacts } from "../facts_database.ts";

export interface CacheStatus {
  path: string;
  bytes: number;
  /** Number of sessions in the catalogue. 0 if another version of the program wrote it. */
  sessions: number;
}

/**
 * Reports the content of a cache folder. A missing folder gives 0 bytes and 0 sessions.
 *
 * @param folder As `library.cache`. @param version The program's version.
 */
export function cacheStatus(folder: string, version: string): CacheStatus {
  return { path: folder, bytes: bytesOf(folder), sessions: sessionsIn(folder, version) };
}

function sessionsIn(folder: string, version: string): number {
  using facts = openFacts({ folder, version });
  try {
    const { count = 0 } = facts.prepare("SELECT count(*) AS count FROM session").get() ?? {};
    return Number(count);
  } catch {
    // Damaged: the next list makes it anew.
    return 0;
  }
}

/** Returns the bytes of all files below a path. Links are not counted. */
function bytesOf(path: string): number {
  try {
    const { isFile, isDirectory, size } = lstatSync(path);
    if (!isDirectory) return isFile ? size : 0;
    return [...readDirSync(path)].reduce((sum, { name }) => sum + bytesOf(join(path, name)), 0);
  } catch {
    // Missing, or removed meanwhile.
    return 0;
  }
}

/**
 * Removes a cache folder. It is made again when it is needed.
 *
 * @param folder As `library.place.cache`. @returns False where there was none.
 * @throws {SessionError} `permission`, `io` where the folder cannot be removed.
 */
export function clearCache(folder: string): boolean {
  try {
    lstatSync(folder);
    removeSync(folder, { recursive: true });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw toSessionError(error, "clear cache", folder);
  }
}
