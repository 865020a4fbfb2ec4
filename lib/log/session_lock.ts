/**
 * Locks a session for its one writer: an exclusive `flock` on the file `lock` beside the log. The
 * file is never unlinked, because a lock on an unlinked file excludes no one. `lock.json` names the
 * holder.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type LockHolder, SessionError } from "../event/session_error.ts";
import { openRegularFile } from "../file/regular_file.ts";
import { readShortText } from "../file/short_file.ts";
import type { OpenFile } from "../platform/file_system.ts";
import { removeSync, writeTextFileSync } from "../platform/files.ts";
import { toSessionError } from "./io_error.ts";
import { openOrMakeOwnFile } from "./own_file.ts";

/** Milliseconds that a writer retries: longer than any reader's probe. */
const RETRY_MS = 80;
const RETRY_STEP_MS = 4;

/** A note names a process, a machine and a time. */
const NOTE_BYTES = 64 * 1024;
/** Within the store nothing is followed. */
const OWN = { follow: false, what: "lock" };

/** A lock that is held. */
export interface SessionLock {
  /** Removes `lock.json` and lets go; the file `lock` stays. */
  release(): void;
}

/** Returns the path of the note about the holder. */
function notePath(directory: string): string {
  return join(directory, "lock.json");
}

function openLockFile(directory: string): OpenFile {
  return openOrMakeOwnFile(join(directory, "lock"), { write: true, read: true });
}

async function lockWithin(file: OpenFile, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!file.tryLockSync(true)) {
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, RETRY_STEP_MS));
  }
  return true;
}

/** Retries like {@linkcode lockWithin}, and blocks the event loop meanwhile. */
function lockNow(file: OpenFile, milliseconds: number): boolean {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + milliseconds;
  while (!file.tryLockSync(true)) {
    if (performance.now() >= deadline) return false;
    Atomics.wait(nobody, 0, 0, RETRY_STEP_MS);
  }
  return true;
}

/**
 * Takes the lock of a session's folder.
 *
 * @throws {SessionError} `locked` with the holder, when another writer keeps it.
 */
export async function acquireLock(directory: string, holder: LockHolder): Promise<SessionLock> {
  const file = openLockFile(directory);
  try {
    if (!await lockWithin(file, RETRY_MS)) throw lockedError(directory);
    return heldLock(file, directory, holder);
  } catch (error) {
    file.close();
    throw toSessionError(error, "lock session", directory);
  }
}

/** Takes the lock of a folder that was made just now, which none but a reader's probe can hold. */
export function acquireNewLock(directory: string, holder: LockHolder): SessionLock {
  return lockNew(directory, (file) => heldLock(file, directory, holder));
}

/** Takes the lock of a draft. It leaves no note of the holder, because only its writer opens a draft. */
export function lockDraft(directory: string): SessionLock {
  return lockNew(directory, (file) => ({ release: () => letGo(file) }));
}

function lockNew(directory: string, held: (file: OpenFile) => SessionLock): SessionLock {
  const file = openLockFile(directory);
  try {
    if (!lockNow(file, RETRY_MS)) throw lockedError(directory);
    return held(file);
  } catch (error) {
    file.close();
    throw toSessionError(error, "lock session", directory);
  }
}

function heldLock(file: OpenFile, directory: string, holder: LockHolder): SessionLock {
  leaveNote(directory, holder);
  return {
    release(): void {
      removeNote(directory);
      letGo(file);
    },
  };
}

function letGo(file: OpenFile): void {
  try {
    // A process that is being started may hold a copy of the descriptor: closing it is not enough.
    file.unlockSync();
  } catch {
    // Closing is all there is then.
  }
  file.close();
}

/**
 * Writes the note of the holder, for messages alone. A failure is ignored because the lock alone
 * decides.
 */
function leaveNote(directory: string, holder: LockHolder): void {
  // What a killed writer left; or a link, which must not be followed.
  removeNote(directory);
  try {
    const options = { mode: 0o600, createNew: true };
    writeTextFileSync(notePath(directory), JSON.stringify(holder) + "\n", options);
  } catch {
    // The disk is full, or only the files may be written and not their folder.
  }
}

/** Takes away the note of a folder; its lock's holder does not find it where the folder moved to. */
export function removeNote(directory: string): void {
  try {
    removeSync(notePath(directory));
  } catch {
    // Not there, gone with its folder, or on a disk that cannot be written now.
  }
}

function lockedError(directory: string): SessionError {
  const holder = readHolder(directory);
  const who = holder === undefined
    ? "another process writes it"
    : `process ${holder.pid} on ${holder.host} writes it since ${holder.since}`;
  const data = holder === undefined ? { path: directory } : { path: directory, holder };
  return new SessionError(
    "locked",
    `Cannot open session to write: ${who}; end that one first`,
    data,
  );
}

/** Returns the holder of a folder's lock, as `lock.json` names it. */
export function readHolder(directory: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(readShortText(notePath(directory), NOTE_BYTES, OWN)) as LockHolder;
    const fits = typeof holder.pid === "number" && typeof holder.host === "string" &&
      typeof holder.since === "string";
    return fits ? holder : undefined;
  } catch {
    // Absent, or being written: the holder is unknown.
    return undefined;
  }
}

/** True when a writer is known to hold the lock now. */
export function isLocked(directory: string): boolean {
  // A list asks of 100,000 sessions. One without a note has no writer, but for one that could not leave it.
  return existsSync(notePath(directory)) && probeLock(join(directory, "lock")) === "locked";
}

/** True unless the lock is known to be free: a check before something is removed. */
export function mayBeLocked(directory: string): boolean {
  return probeLock(join(directory, "lock")) !== "free";
}

/** Tells if a lock file is locked. Creates nothing; a shared lock is held for an instant. */
export function probeLock(path: string): "locked" | "free" | "unknown" {
  // An error with its stack takes ten times as long.
  if (!existsSync(path)) return "free";
  let file: OpenFile;
  try {
    file = openRegularFile(path, { ...OWN, again: false }).file;
  } catch {
    // Not readable: no known writer.
    return "free";
  }
  try {
    const free = file.tryLockSync(false);
    if (free) file.unlockSync();
    return free ? "free" : "locked";
  } catch {
    // Some file systems have no locks, or none left.
    return "unknown";
  } finally {
    file.close();
  }
}
