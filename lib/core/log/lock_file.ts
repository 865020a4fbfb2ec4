/**
 * Locks a file for one process. The file is never unlinked, because a lock on an unlinked file
 * excludes no one. What the runtimes take excludes each other: `flock(2)`; on Windows `LockFileEx`,
 * or a handle that shares nothing (`lib/core/platform/share_nothing.ts`).
 */
import { existsSync } from "node:fs";
import { openRegularFile } from "../file/regular_file.ts";
import type { OpenFile } from "../platform/file_system.ts";
import { pauseSync } from "../platform/pause.ts";
import { isBusy } from "../platform/system_error.ts";
import { openOrMakeOwnFile } from "./own_file.ts";

const RETRY_STEP_MS = 4;
/** Milliseconds that readers may delay a writer. Under Node a probe is a process, which may be slow. */
const PROBED_MS = 2000;

/** Options for the lock file. A link in its place is not followed. */
const OWN = { follow: false, what: "lock", again: false };

/**
 * Takes the lock of a file, which is made where there is none. Disposing lets go of it.
 *
 * @returns Undefined while another process holds it.
 * @throws What the system says where the file cannot be opened or locked.
 */
export function tryLockFile(path: string): Disposable | undefined {
  const file = openUnlessBusy(() => openOrMakeOwnFile(path, { write: true, read: true }));
  if (file === undefined) return undefined;
  try {
    if (file.tryLockSync(true)) return { [Symbol.dispose]: () => letGo(file) };
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return undefined;
}

/** Retries {@linkcode tryLockFile} for a while. Retries longer if only readers probe the lock. */
export async function lockFileWithin(
  path: string,
  milliseconds: number,
): Promise<Disposable | undefined> {
  const began = performance.now();
  while (true) {
    const lock = tryLockFile(path);
    if (lock !== undefined || isOver(path, began, milliseconds)) return lock;
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

/** True if a writer waited long enough: longer if, by a probe, only readers hold the lock. */
function isOver(path: string, began: number, milliseconds: number): boolean {
  const waited = performance.now() - began;
  return waited >= milliseconds && (waited >= PROBED_MS || probeLock(path) !== "free");
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

/** Opens a file; undefined if Windows says that another handle has it exclusively. */
function openUnlessBusy(open: () => OpenFile): OpenFile | undefined {
  try {
    return open();
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Tells if a lock file is locked. Creates nothing; a shared lock is held for an instant. */
export function probeLock(path: string): "locked" | "free" | "unknown" {
  // An error with its stack takes ten times as long.
  if (!existsSync(path)) return "free";
  let file: OpenFile | undefined;
  try {
    file = openUnlessBusy(() => openRegularFile(path, OWN).file);
  } catch {
    // Not readable: no known writer.
    return "free";
  }
  if (file === undefined) return "locked";
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
