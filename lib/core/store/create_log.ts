/** Makes a session's folder, lock and log. */
import { dirname, join } from "node:path";
import { type LockHolder, SessionError } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { LogWriter } from "../log/log_writer.ts";
import { acquireLock, acquireNewLock, type SessionLock } from "../log/session_lock.ts";
import { removeQuietly } from "../file/remove_quietly.ts";
import { locksAtOnce, mkdirSync } from "../platform/files.ts";
import { mayRead } from "../platform/process.ts";
import { withinTurn } from "../platform/loop_turn.ts";
import { isAlreadyExists, isNotFound } from "../platform/system_error.ts";
import { namespaceOf } from "../workspace/namespace.ts";
import { localLog } from "./local_log.ts";
import { assertFree, LOG_FILE, sessionsDirectory } from "./session_folder.ts";
import { folderName, isUnique } from "./session_id.ts";
import type { OpenLog } from "./session_parts.ts";
import { assertOwnFolder } from "./store_safety.ts";
import { syncDirectories } from "./sync_directories.ts";
import { discardFolder } from "./unsaved_log.ts";

export interface NewLog {
  /** The data root; made if it does not exist. */
  root: string;
  /** Name of the folder for the sessions of the working directory. */
  namespace: string;
  /** Time of creation, with which the folder's name begins. */
  created: Date;
  /** The preferred id of the session. If it is taken, `newId` returns the next id to try. */
  id: string;
  newId: () => string;
  /** The process that will have the lock, for `lock.json`. */
  holder: LockHolder;
}

/**
 * Returns the plan of a new log. No file is written yet.
 *
 * @throws {SessionError} `exists` if a session has the id already.
 */
export function plannedLog(
  plan: Omit<NewLog, "namespace" | "id">,
  cwd: string,
  id: string,
): NewLog {
  if (!isUnique(id)) assertFree(plan.root, id);
  return { ...plan, namespace: namespaceOf(cwd), id };
}

const TRIES = 16;

/** Makes a folder; returns true if it did not exist. */
export function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return false;
    throw error;
  }
}

/**
 * Makes a folder and its missing ancestors.
 *
 * @returns The parents of the new folders, to be synced.
 */
export function makeDirectories(path: string): string[] {
  try {
    return makeDirectory(path) ? [dirname(path)] : [];
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return [...makeDirectories(dirname(path)), ...makeDirectories(path)];
  }
}

export function plannedDirectory({ root, namespace, created, id }: NewLog): string {
  return join(sessionsDirectory(root), namespace, folderName(created, id));
}

/**
 * Takes the first id under which a session's folder can be made.
 *
 * @param make Makes the folder, or a draft in its place. Returns false if the name is taken.
 * @throws {SessionError} `io` if no id is free.
 */
export function takeFreeId(
  plan: NewLog,
  make: (directory: string) => boolean,
): { id: string; directory: string } {
  let { id } = plan;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const directory = plannedDirectory({ ...plan, id });
    if (make(directory)) return { id, directory };
    id = plan.newId();
  }
  const message =
    `Cannot create session: Reprise found no unused id in ${TRIES} tries; the last id was ${id}`;
  throw new SessionError("io", message, { path: plannedDirectory({ ...plan, id }) });
}

interface BegunLog {
  path: string;
  writer: LogWriter;
  lock: SessionLock;
}

/**
 * Makes lock and log in a new folder.
 *
 * @param discard Removes the folder, on failure.
 * @returns A promise if a separate program takes the lock, so that the event loop need not wait.
 */
function beginLog(
  directory: string,
  holder: LockHolder,
  discard: () => void,
): BegunLog | Promise<BegunLog> {
  if (!locksAtOnce()) return beginLogSoon(directory, holder, discard);
  try {
    return logUnder(acquireNewLock(directory, holder), directory);
  } catch (error) {
    discard();
    throw error;
  }
}

async function beginLogSoon(
  directory: string,
  holder: LockHolder,
  discard: () => void,
): Promise<BegunLog> {
  try {
    return logUnder(await acquireLock(directory, holder), directory);
  } catch (error) {
    discard();
    throw error;
  }
}

function logUnder(lock: SessionLock, directory: string): BegunLog {
  const path = join(directory, LOG_FILE);
  try {
    return { path, writer: LogWriter.create(path), lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Removes a session's folder that has no log, so that failed tries leave no folders behind. */
function discardDirectory(directory: string, made: readonly string[]): void {
  discardFolder(directory);
  // The namespace, if it is new and still empty.
  const namespace = dirname(directory);
  if (made.includes(dirname(namespace))) removeQuietly(namespace);
}

/**
 * Makes a namespace's folder and its missing ancestors. Throws if one is a symbolic link.
 *
 * @returns The parents of the new folders, to be synced.
 */
export function makeNamespace({ root, namespace }: NewLog): string[] {
  const sessions = sessionsDirectory(root);
  // Syncing opens a folder. The program may have no access to the folder above the store.
  const made = makeDirectories(sessions).filter((path) => path.startsWith(root) || mayRead(path));
  assertOwnFolder(sessions);
  for (const one of makeDirectories(join(sessions, namespace))) made.push(one);
  assertOwnFolder(join(sessions, namespace));
  return made;
}

/**
 * Makes folder, lock and log, and begins to sync the new names.
 *
 * @returns A promise if a separate program takes the lock, or if many logs are made at once.
 * @throws {SessionError} `permission`, `disk-full`, `io`
 */
export function createLog(plan: NewLog): OpenLog | Promise<OpenLog> {
  return withinTurn(() => makeLog(plan));
}

function makeLog(plan: NewLog): OpenLog | Promise<OpenLog> {
  const namespace = join(sessionsDirectory(plan.root), plan.namespace);
  // Another session may have been given the id meanwhile.
  if (!isUnique(plan.id)) assertFree(plan.root, plan.id);
  try {
    const toSync = makeNamespace(plan);
    const { id } = plan;
    const directory = plannedDirectory(plan);
    if (!makeDirectory(directory)) {
      const message = "Cannot create session: another session was just created with the id " +
        `${id}; try again`;
      throw new SessionError(isUnique(id) ? "io" : "exists", message, { path: directory, ref: id });
    }
    const discard = (): void => discardDirectory(directory, toSync);
    const withNames = (begun: BegunLog): OpenLog => {
      const { path } = begun;
      const named = syncDirectories([...toSync, namespace, directory]);
      named.catch(() => {/* told to the appends that wait for it */});
      return {
        ...localLog({ id, path, state: begun, named, holder: plan.holder }),
        discard(): void {
          removeQuietly(path);
          discard();
        },
      };
    };
    const begun = beginLog(directory, plan.holder, discard);
    return begun instanceof Promise ? begun.then(withNames) : withNames(begun);
  } catch (error) {
    throw toSessionError(error, "create session", plan.root);
  }
}
