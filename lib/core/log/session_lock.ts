/**
 * Locks a session for its one writer: an exclusive lock on the file `lock` beside the log.
 * `lock.json` names the holder.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fields, number, parsedAs, text } from "../event/guard.ts";
import { type LockHolder, SessionError } from "../event/session_error.ts";
import { shortTextIn } from "../file/short_file.ts";
import { removeQuietly } from "../file/remove_quietly.ts";
import { writeTextFileSync } from "../platform/files.ts";
import { timeInTurn } from "../platform/loop_turn.ts";
import { operatingSystem } from "../platform/runtime.ts";
import { toSessionError } from "./io_error.ts";
import { isOwnLock, lockFileNow, lockFileWithin, probeLock, probeLocks } from "./lock_file.ts";
import { listedLocks } from "../platform/listed_locks.ts";

/** Maximum milliseconds that a writer waits for another writer. */
const RETRY_MS = 80;

/** Maximum bytes of `lock.json`, which names a process, a machine and a time. */
const NOTE_BYTES = 64 * 1024;
const HOLDER = fields({ pid: number, host: text, since: text });

export interface SessionLock {
  /** Removes `lock.json` and unlocks. The file `lock` stays. */
  release(): void;
  /**
   * Runs a change that moves or deletes the folder, and releases the lock.
   *
   * Windows refuses the change while a file in the folder is open. There the lock is released
   * before the change. If another writer takes the lock in between, the folder stays in place.
   */
  releaseAround(change: () => void, os?: string): void;
}

function notePath(directory: string): string {
  return join(directory, "lock.json");
}

function lockPath(directory: string): string {
  return join(directory, "lock");
}

/**
 * Takes the lock of a session's folder.
 *
 * @throws {SessionError} `locked`, with the holder, if another writer has the lock.
 */
export async function acquireLock(directory: string, holder: LockHolder): Promise<SessionLock> {
  try {
    const lock = await lockFileWithin(lockPath(directory), RETRY_MS);
    return heldLock(lock, directory, holder);
  } catch (error) {
    throw toSessionError(error, "lock session", directory);
  }
}

/** Takes the lock of a new folder. Only a process that tests the lock can hold it for a moment. */
export function acquireNewLock(directory: string, holder: LockHolder): SessionLock {
  try {
    return heldLock(lockFileNow(lockPath(directory), RETRY_MS), directory, holder);
  } catch (error) {
    throw toSessionError(error, "lock session", directory);
  }
}

/** Locks a draft. Writes no `lock.json`, because no other process opens the draft. */
export async function lockDraft(directory: string): Promise<Disposable> {
  try {
    const lock = await lockFileWithin(lockPath(directory), RETRY_MS);
    if (lock === undefined) throw lockedError(directory);
    return lock;
  } catch (error) {
    throw toSessionError(error, "lock session", directory);
  }
}

function heldLock(
  lock: Disposable | undefined,
  directory: string,
  holder: LockHolder,
): SessionLock {
  if (lock === undefined) throw lockedError(directory);
  leaveNote(directory, holder);
  let is_held = true;
  const release = (): void => {
    if (!is_held) return;
    is_held = false;
    removeQuietly(notePath(directory));
    lock[Symbol.dispose]();
  };
  return {
    release,
    releaseAround(change, os = operatingSystem): void {
      if (os === "windows") release();
      // `lock.json` would move with the folder.
      else removeQuietly(notePath(directory));
      change();
      release();
    },
  };
}

/** Writes `lock.json`, which only messages use. Failures are ignored: the lock alone counts. */
function leaveNote(directory: string, holder: LockHolder): void {
  // A file that a killed writer left; or a link, which must not be followed.
  removeQuietly(notePath(directory));
  try {
    const options = { mode: 0o600, createNew: true };
    writeTextFileSync(notePath(directory), JSON.stringify(holder) + "\n", options);
  } catch {
    // The disk is full, or only the files may be written and not their folder.
  }
}

function lockedError(directory: string): SessionError {
  const holder = readHolder(directory);
  const who = holder === undefined
    ? "another process is writing the session"
    : `process ${holder.pid} on ${holder.host} has been writing the session since ${holder.since}`;
  const data = holder === undefined ? { path: directory } : { path: directory, holder };
  return new SessionError(
    "locked",
    `Cannot open session for writing: ${who}; stop that process first`,
    data,
  );
}

export function readHolder(directory: string): LockHolder | undefined {
  return parsedAs(shortTextIn(notePath(directory), NOTE_BYTES, { follow: false }), HOLDER);
}

/** True if a writer certainly holds the lock now. */
export function isLocked(directory: string): boolean {
  // A list checks up to 100,000 sessions. A session without `lock.json` has no writer, or its
  // writer could not make the file.
  return existsSync(notePath(directory)) && probeLock(lockPath(directory)) === "locked";
}

/**
 * Finds the folders that a writer certainly has locked now, without blocking the event loop. Uses
 * the system's list of locks if there is one, and probes the other locks.
 */
export async function lockedAmong(directories: readonly string[]): Promise<Set<string>> {
  const locked = new Set<string>();
  const others: string[] = [];
  for (const directory of directories) {
    await timeInTurn();
    if (isOwnLock(lockPath(directory))) locked.add(directory);
    else if (existsSync(notePath(directory))) others.push(directory);
  }
  if (others.length === 0) return locked;
  const listed = listedLocks();
  // A lock that is not listed may be held in another container, so it is probed.
  const unlisted: string[] = [];
  for (const directory of others) {
    await timeInTurn();
    if (!listed.has(lockPath(directory))) unlisted.push(directory);
  }
  const states = await probeLocks(unlisted.map(lockPath));
  const free = new Set(unlisted.filter((_, index) => states[index] !== "locked"));
  for (const directory of others) if (!free.has(directory)) locked.add(directory);
  return locked;
}

/** True unless the lock is certainly free. Check it before you remove something. */
export function mayBeLocked(directory: string): boolean {
  return probeLock(lockPath(directory)) !== "free";
}
