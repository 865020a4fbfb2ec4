/**
 * Removing a session: its folder moves to the trash, and a line there says what it was.
 */
import { basename, dirname, join } from "node:path";
import type { LockHolder } from "../../event/session_error.ts";
import { toSessionError } from "../../log/io_error.ts";
import { acquireLock, removeNote } from "../../log/session_lock.ts";
import { renameSync } from "../../platform/files.ts";
import { exists } from "../exists.ts";
import { type SessionFolder, trashDirectory } from "../session_folder.ts";
import { assertOwnFolder, assertOwnSession, makeOwnFolder } from "../store_safety.ts";
import { appendTrashRecord, type Tombstone } from "./trash_record.ts";

/**
 * Moves a session's folder to the trash.
 *
 * @throws {SessionError} `locked` when a writer holds it, `permission`, `io`
 */
export async function removeSession(
  root: string,
  { directory, session_id }: SessionFolder,
  about: Pick<Tombstone, "title" | "altered" | "bytes" | "reason">,
  holder: LockHolder,
): Promise<Tombstone> {
  const namespace = join(trashDirectory(root), basename(dirname(directory)));
  assertOwnSession(directory);
  const lock = await acquireLock(directory, holder);
  try {
    // While the lock was waited for, its holder may have moved it.
    assertOwnFolder(directory);
    makeOwnFolder(trashDirectory(root));
    makeOwnFolder(namespace);
    const to = freePlace(join(namespace, basename(directory)));
    const tombstone = { session_id, ...about, from: directory, to, removed_at: holder.since };
    // Written first: a record of a removal that did not happen misleads less than none of one that did.
    appendTrashRecord(root, tombstone);
    renameSync(directory, to);
    removeNote(to);
    return tombstone;
  } catch (error) {
    throw toSessionError(error, "move session to trash", directory);
  } finally {
    lock.release();
  }
}

/** The path, or with a number behind it where a session lies there that was removed before. */
function freePlace(path: string): string {
  for (let number = 1;; number++) {
    const place = number === 1 ? path : `${path}~${number}`;
    if (!exists(place, "move session to trash")) return place;
  }
}
