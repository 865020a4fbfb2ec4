/** Deletes sessions in the trash for good, only on request. */
import { dirname, join } from "node:path";
import { type LockHolder, SessionError } from "../../event/session_error.ts";
import { toSessionError } from "../../log/io_error.ts";
import { acquireLock } from "../../log/session_lock.ts";
import { removeQuietly } from "../../file/remove_quietly.ts";
import { removeSync } from "../../platform/files.ts";
import { isNotFound } from "../../platform/system_error.ts";
import { LOG_FILE, trashDirectory } from "../session_folder.ts";
import { assertOwnFolder } from "../store_safety.ts";
import { listTrash, type TrashEntry } from "./trash.ts";
import { appendTrashRecord } from "./trash_record.ts";

/** The removed sessions to delete for good. */
export interface EmptyTrashOptions {
  /** Deletes only sessions with a record of their removal before this time. @default {all} */
  before?: Date;
  /** Deletes only these folders of the trash, so that later removals stay. @default {all} */
  paths?: readonly string[];
  /** True to report what would be deleted, and delete nothing. @default {false} */
  dry_run?: boolean;
  /** Receives errors of undeletable sessions, such as locked ones. @default {nothing} */
  onError?: (error: SessionError) => void;
  /** Receives the number of bytes deleted so far, and of all bytes. @default {nothing} */
  onProgress?: (done: number, all: number) => void;
}

function isMeant(
  { state, path, removed_at }: TrashEntry,
  { before, paths }: EmptyTrashOptions,
): boolean {
  if (state === "gone" || paths?.includes(path) === false) return false;
  return before === undefined || Date.parse(removed_at ?? "") < before.getTime();
}

/**
 * @returns The deleted sessions, or in a dry run the sessions that would be deleted.
 * @throws {SessionError} `permission`, `io` of the trash. A session's errors go to `onError`.
 */
export async function emptyTrash(
  root: string,
  options: EmptyTrashOptions,
  holder: LockHolder,
): Promise<TrashEntry[]> {
  const { dry_run = false, onError, onProgress } = options;
  const meant = listTrash(root).filter((entry) => isMeant(entry, options));
  if (dry_run) return meant;
  const deleted: TrashEntry[] = [];
  const all = meant.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const entry of meant) {
    try {
      await deleteEntry(root, entry, holder);
      deleted.push(entry);
      onProgress?.(done += entry.bytes, all);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      onError?.(error);
    }
  }
  for (const namespace of new Set(deleted.map(({ path }) => dirname(path)))) {
    removeQuietly(namespace);
  }
  return deleted;
}

async function deleteEntry(
  root: string,
  { session_id, path }: TrashEntry,
  holder: LockHolder,
): Promise<void> {
  const lock = await acquireLock(path, holder);
  try {
    assertOwnFolder(trashDirectory(root));
    assertOwnFolder(dirname(path));
    assertOwnFolder(path);
    const record = { session_id, to: path, deleted_at: holder.since };
    // Written first: no session is deleted without a record. A full disk has room for it only then.
    const is_told = hadRoom(() => appendTrashRecord(root, record));
    // The log goes first: a partly deleted folder cannot be restored.
    removeLog(join(path, LOG_FILE));
    lock.releaseAround(() => removeSync(path, { recursive: true }));
    if (!is_told) appendTrashRecord(root, record);
  } catch (error) {
    throw toSessionError(error, "delete session", path);
  } finally {
    lock.release();
  }
}

function hadRoom(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (toSessionError(error, "delete session", "").code === "disk-full") return false;
    throw error;
  }
}

function removeLog(path: string): void {
  try {
    removeSync(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
