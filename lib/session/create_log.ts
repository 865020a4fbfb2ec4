/**
 * Making a session's folder, lock and log.
 */
import { dirname, join } from "node:path";
import { type LockHolder, SessionError } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { LogWriter } from "../log/log_writer.ts";
import { acquireNewLock } from "../log/session_lock.ts";
import type { OpenLog } from "./session.ts";
import { LOG_FILE, sessionsDirectory } from "./session_folder.ts";
import { folderName } from "./session_id.ts";

/** Where and as what a session is made. */
export interface NewLog {
  root: string;
  namespace: string;
  created: Date;
  /** The first id to try. */
  id: string;
  newId: () => string;
  holder: LockHolder;
}

const TRIES = 16;

/** Makes a folder; says whether it was not there. */
function makeDirectory(path: string): boolean {
  try {
    Deno.mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

/** Path of the folder that a session will get, if its id is free. */
export function plannedDirectory({ root, namespace, created, id }: NewLog): string {
  return join(sessionsDirectory(root), namespace, folderName(created, id));
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await Deno.open(path, { read: true });
  try {
    await directory.sync();
  } finally {
    directory.close();
  }
}

async function syncDirectories(paths: readonly string[]): Promise<void> {
  // A directory cannot be opened, nor needs it, on Windows.
  if (Deno.build.os === "windows") return;
  try {
    await Promise.all(paths.map(syncDirectory));
  } catch (error) {
    const message = `Cannot sync folder: ${error instanceof Error ? error.message : error}`;
    throw new SessionError("sync-failed", message, { written: true }, error);
  }
}

/** The session's own folder: with another id, as often as that is taken. */
function makeSessionDirectory(plan: NewLog): { id: string; directory: string } {
  let { id } = plan;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const directory = plannedDirectory({ ...plan, id });
    if (makeDirectory(directory)) return { id, directory };
    id = plan.newId();
  }
  const message = `Cannot create session: no free id after ${TRIES} tries; the last was ${id}`;
  throw new SessionError("io", message, { path: plannedDirectory({ ...plan, id }) });
}

/**
 * Makes folder, lock and log, and begins to sync the names of what is new.
 *
 * @throws {SessionError} `permission`, `disk-full`, `io`
 */
export function createLog(plan: NewLog): OpenLog {
  const namespace = join(sessionsDirectory(plan.root), plan.namespace);
  const toSync: string[] = [];
  try {
    Deno.mkdirSync(dirname(plan.root), { recursive: true, mode: 0o700 });
    for (const path of [plan.root, sessionsDirectory(plan.root), namespace]) {
      if (makeDirectory(path)) toSync.push(dirname(path));
    }
    const { id, directory } = makeSessionDirectory(plan);
    const lock = acquireNewLock(directory, plan.holder);
    try {
      const path = join(directory, LOG_FILE);
      const writer = LogWriter.create(path);
      const named = syncDirectories([...toSync, namespace, directory]);
      named.catch(() => {/* told to the appends that wait for it */});
      return { id, path, writer, lock, named };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw toSessionError(error, "create session", plan.root);
  }
}
