/**
 * Replaces the catalogue's files. Each is written beside the old one and then renamed, by one
 * process at a time.
 */
import { removeQuietly } from "../../file/remove_quietly.ts";
import { join } from "node:path";
import { SessionError } from "../../event/session_error.ts";
import { lockFileNow } from "../../log/lock_file.ts";
import type { OpenFile } from "../../platform/file_system.ts";
import { makeCacheFolder } from "../cache/own_cache.ts";
import { openSync, readDirSync, renameSync } from "../../platform/files.ts";

const LOCK = "catalogue.lock";
const UNFINISHED = /^catalogue-[0-9a-f-]{36}\.tmp$/;
const LOCK_MS = 500;

/**
 * Takes the lock under which files of the cache folder are replaced. Makes the folder if needed.
 *
 * @throws {SessionError} `locked` where another process does not let go of it; else as the system
 * says where the folder cannot be made or written.
 */
export function lockCatalogue(folder: string): Disposable {
  makeCacheFolder(folder);
  const path = join(folder, LOCK);
  const lock = lockFileNow(path, LOCK_MS);
  if (lock !== undefined) return lock;
  const message = "Cannot write the cached session list: another process is writing it; try again";
  throw new SessionError("locked", message, { path });
}

/**
 * Writes a file and puts it in the place of another one. Call it under the lock.
 *
 * @throws What the system says where the folder cannot be written. Then the old file stays.
 */
export function replaceCacheFile(
  folder: string,
  path: string,
  write: (file: OpenFile) => void,
): void {
  removeUnfinished(folder);
  const made = join(folder, `catalogue-${crypto.randomUUID()}.tmp`);
  let file: OpenFile | undefined;
  try {
    file = openSync(made, { write: true, createNew: true, mode: 0o600 });
    write(file);
    file.close();
    file = undefined;
    renameSync(made, path);
  } catch (error) {
    file?.close();
    removeQuietly(made);
    throw error;
  }
}

/** Removes what a writer that was killed has left. */
function removeUnfinished(folder: string): void {
  for (const { name } of readDirSync(folder)) {
    if (UNFINISHED.test(name)) removeQuietly(join(folder, name));
  }
}
