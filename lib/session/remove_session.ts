/**
 * Removing a session: its folder moves to the trash, and a line there says what it was.
 */
import { basename, dirname, join } from "node:path";
import type { LockHolder } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { acquireLock } from "../log/session_lock.ts";
import { type SessionFolder, trashDirectory } from "./session_folder.ts";

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
    // Written first: a record of a removal that did not happen misleads less than none of one that did.
    Deno.writeTextFileSync(tombstonesPath(root), JSON.stringify(tombstone) + "\n", {
      append: true,
      mode: 0o600,
    });
    Deno.removeSync(join(directory, "lock.json"));
    Deno.renameSync(directory, to);
    return tombstone;
  } catch (error) {
    throw toSessionError(error, "move session to trash", directory);
  } finally {
    lock.release();
  }
}
