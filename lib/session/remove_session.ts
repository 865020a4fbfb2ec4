/**
 * Removing a session: its folder moves to the trash, and a line there says what it was.
 */
import { basename, dirname, join } from "node:path";
import type { LockHolder } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { acquireLock } from "../log/session_lock.ts";
import { appendLine } from "./append_line.ts";
import { type SessionFolder, trashDirectory } from "./session_folder.ts";
import { assertOwnFolder } from "./store_safety.ts";

/** What the trash remembers of a session. */
export interface Tombstone {
  /** UUID v4 of the removed session. */
  session_id: string;
  /** As its summary had it; may be empty. */
  title: string;
  /** Where its folder was. */
  from: string;
  /** Where it is. */
  to: string;
  /** ISO 8601. */
  removed_at: string;
}

/** Path of the record of removals. */
export function tombstonesPath(root: string): string {
  return join(trashDirectory(root), "tombstones.jsonl");
}

/**
 * Moves a session's folder to the trash.
 *
 * @throws {SessionError} `locked` when a writer holds it, `permission`, `io`
 */
export async function removeSession(
  root: string,
  folder: SessionFolder,
  title: string,
  holder: LockHolder,
): Promise<Tombstone> {
  const { directory, session_id } = folder;
  const namespace = join(trashDirectory(root), basename(dirname(directory)));
  const to = join(namespace, basename(directory));
  const tombstone: Tombstone = {
    session_id,
    title,
    from: directory,
    to,
    removed_at: holder.since,
  };
  const lock = await acquireLock(directory, holder);
  try {
    Deno.mkdirSync(namespace, { recursive: true, mode: 0o700 });
    assertOwnFolder(trashDirectory(root));
    assertOwnFolder(namespace);
    // Written first: a record of a removal that did not happen misleads less than none of one that did.
    appendLine(tombstonesPath(root), tombstone);
    Deno.renameSync(directory, to);
    removeNote(to);
    return tombstone;
  } catch (error) {
    throw toSessionError(error, "move session to trash", directory);
  } finally {
    lock.release();
  }
}

/** The lock's holder cannot find its note where it was. */
function removeNote(directory: string): void {
  try {
    Deno.removeSync(join(directory, "lock.json"));
  } catch {
    // It was not written, and it counts for nothing.
  }
}
