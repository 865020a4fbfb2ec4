/**
 * Folders for copies that only this user can read. Each holds a lock while its process lives. So the
 * next process tells those that a kill left, and removes them.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { atEnd, notAtEnd } from "../platform/end_tasks.ts";
import { removeQuietly } from "../file/remove_quietly.ts";
import { lstatSync, makeTempDirSync, readDirSync } from "../platform/files.ts";
import { ownUser } from "../platform/process.ts";
import { probeLock, tryLockFile } from "./lock_file.ts";

type Purpose = "copy" | "open" | "repair" | "sftp";

const NAME = /^reprise-(?:copy|open|repair|sftp)-/;
const LOCK = "lock";
/** Milliseconds after its start within which a process may not have locked its folder yet. */
const UNLOCKED_MS = 60_000;

/** A folder with mode 0700 that is removed when it is disposed, or when the program ends. */
export class TemporaryFolder implements Disposable {
  readonly path: string;
  readonly #lock: Disposable | undefined;
  readonly #remove = (): void => this[Symbol.dispose]();

  /**
   * Makes a folder.
   *
   * @param below @default {the system's folder of temporary files}
   * @throws What the system says.
   */
  constructor(purpose: Purpose, below?: string) {
    const prefix = `reprise-${purpose}-`;
    this.path = makeTempDirSync(below === undefined ? { prefix } : { prefix, dir: below });
    this.#lock = lockIn(this.path);
    atEnd(this.#remove);
    removeAbandoned(dirname(this.path));
  }

  /** Removes the folder. If that fails, a later process removes it. */
  [Symbol.dispose](): void {
    notAtEnd(this.#remove);
    this.#lock?.[Symbol.dispose]();
    removeQuietly(this.path, { recursive: true });
  }
}

function lockIn(folder: string): Disposable | undefined {
  try {
    return tryLockFile(join(folder, LOCK));
  } catch {
    // A file system without locks: nobody else takes the folder for abandoned.
    return undefined;
  }
}

const looked_at = new Set<string>();

/** Removes the folders below a path whose processes were killed. A process looks once. */
export function removeAbandoned(below: string): void {
  if (looked_at.has(below)) return;
  looked_at.add(below);
  try {
    for (const { name, isDirectory } of readDirSync(below)) {
      const path = join(below, name);
      if (isDirectory && NAME.test(name) && isAbandoned(path)) {
        removeQuietly(path, { recursive: true });
      }
    }
  } catch {
    // Not there, or not to be listed.
  }
}

function isAbandoned(path: string): boolean {
  const { uid, mtime } = lstatSync(path);
  if (uid !== null && uid !== (ownUser() ?? uid)) return false;
  const lock = join(path, LOCK);
  if (existsSync(lock)) return probeLock(lock) === "free";
  return Date.now() - (mtime?.getTime() ?? Infinity) > UNLOCKED_MS;
}
