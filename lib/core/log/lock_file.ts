/**
 * Locks a file for one process. The file is never unlinked, because a lock on an unlinked file
 * excludes no one. The locks of all runtimes exclude each other. They are `flock(2)`, and on
 * Windows `LockFileEx` or a handle that shares nothing (`lib/core/platform/share_nothing.ts`).
 */
import { existsSync } from "node:fs";
import { openRegularFile } from "../file/regular_file.ts";
import type { OpenFile } from "../platform/file_system.ts";
import { locksAtOnce } from "../platform/files.ts";
import { pauseSync } from "../platform/pause.ts";
import { isBusy, isOutOfDescriptors } from "../platform/system_error.ts";
import { openOrMakeOwnFile } from "./own_file.ts";

const RETRY_STEP_MS = 4;
/**
 * Maximum milliseconds that probes by readers may delay a writer. Under Node a probe is a process,
 * which may be slow.
 */
const PROBED_MS = 2000;

/** Options for opening a lock file. A link in place of the file is not followed. */
const OWN = { follow: false, what: "lock", again: false };

/** Paths of the files that this process has locked. The system need not be asked about them. */
const own = new Set<string>();

export function isOwnLock(path: string): boolean {
  return own.has(path);
}

/**
 * Locks a file, and makes the file if it is missing. Disposing the result unlocks the file.
 *
 * @returns Undefined if the file is already locked.
 * @throws The system's error if the file cannot be opened or locked.
 */
export function tryLockFile(path: string): Disposable | undefined {
  const file = openToLock(path);
  if (file === undefined) return undefined;
  try {
    if (file.tryLockSync(true)) return heldLock(file, path);
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return undefined;
}

async function tryLockFileSoon(path: string): Promise<Disposable | undefined> {
  if (locksAtOnce()) return tryLockFile(path);
  const file = openToLock(path);
  if (file === undefined) return undefined;
  try {
    if (await file.tryLock(true)) return heldLock(file, path);
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return undefined;
}

/** Returns undefined if the lock file is certainly locked. */
function openToLock(path: string): OpenFile | undefined {
  if (own.has(path)) return undefined;
  return openUnlessBusy(() => openOrMakeOwnFile(path, { write: true, read: true }));
}

function heldLock(file: OpenFile, path: string): Disposable {
  own.add(path);
  return {
    [Symbol.dispose](): void {
      own.delete(path);
      letGo(file);
    },
  };
}

/** Tries for `milliseconds` to lock a file, or longer if only probes by readers hold the lock. */
export async function lockFileWithin(
  path: string,
  milliseconds: number,
): Promise<Disposable | undefined> {
  const began = performance.now();
  while (true) {
    const lock = await tryLockFileSoon(path);
    if (lock !== undefined) return lock;
    const waited = performance.now() - began;
    if (waited >= milliseconds) {
      if (waited >= PROBED_MS || (await probeLocks([path]))[0] !== "free") return undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_STEP_MS));
  }
}

/** Retries like {@linkcode lockFileWithin}, and blocks the event loop meanwhile. */
export function lockFileNow(path: string, milliseconds: number): Disposable | undefined {
  const began = performance.now();
  while (true) {
    const lock = tryLockFile(path);
    if (lock !== undefined || isOver(path, began, milliseconds)) return lock;
    pauseSync(RETRY_STEP_MS);
  }
}

/** True after `milliseconds`, or after `PROBED_MS` if the lock is held only to test it. */
function isOver(path: string, began: number, milliseconds: number): boolean {
  const waited = performance.now() - began;
  return waited >= milliseconds && (waited >= PROBED_MS || probeLock(path) !== "free");
}

function letGo(file: OpenFile): void {
  try {
    // A process that is being started may hold a copy of the descriptor: closing it is not enough.
    file.unlockSync();
  } catch {
    // Closing the file is all that can be done then.
  }
  file.close();
}

/** Returns undefined if another handle on Windows has the file exclusively. */
function openUnlessBusy(open: () => OpenFile): OpenFile | undefined {
  try {
    return open();
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** State of a lock file. It is unknown if the file system has no locks, or none left. */
export type LockState = "locked" | "free" | "unknown";

/** Creates no file, and holds a shared lock for a moment. */
export function probeLock(path: string): LockState {
  const file = openToProbe(path);
  if (typeof file === "string") return file;
  try {
    const free = file.tryLockSync(false);
    if (free) file.unlockSync();
    return free ? "free" : "locked";
  } catch {
    return "unknown";
  } finally {
    file.close();
  }
}

const MOST_PROBES = 128;

/** Probes lock files as {@linkcode probeLock} does, without blocking the event loop. */
export async function probeLocks(paths: readonly string[]): Promise<LockState[]> {
  if (locksAtOnce()) return paths.map(probeLock);
  const states: LockState[] = [];
  for (let at = 0; at < paths.length; at += MOST_PROBES) {
    const some = paths.slice(at, at + MOST_PROBES);
    for (const state of await Promise.all(some.map(probeSoon))) states.push(state);
  }
  return states;
}

async function probeSoon(path: string): Promise<LockState> {
  const file = openToProbe(path);
  if (typeof file === "string") return file;
  try {
    return await file.tryLock(false) ? "free" : "locked";
  } catch {
    return "unknown";
  } finally {
    file.close();
  }
}

function openToProbe(path: string): OpenFile | LockState {
  if (own.has(path)) return "locked";
  // An error with its stack would take ten times as long.
  if (!existsSync(path)) return "free";
  try {
    return openUnlessBusy(() => openRegularFile(path, OWN).file) ?? "locked";
  } catch (error) {
    // The file cannot be read, so no writer is known.
    return isOutOfDescriptors(error) ? "unknown" : "free";
  }
}
