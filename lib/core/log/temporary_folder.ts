/**
 * Folders for copies that only this user can read. Each folder is locked while its process lives.
 * So the next process recognizes the folders of killed processes, and removes them.
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
/** Milliseconds after which a folder without a lock file is abandoned. Processes lock it sooner. */
const UNLOCKED_MS = 60_000;

/** A folder with mode 0700 that is removed when it is disposed, or when the program ends. */
export class TemporaryFolder implements Disposable {
  readonly path: string;
  readonly #lock: Disposable | undefined;
  readonly #remove = (): void => this[Symbol.dispose]();

  /**
   * Makes a folder.
   *
   * @param below The folder in which to make it. @default {the system's folder of temporary files}
   * @throws The system's error.
   */
  constructor(purpose: Purpose, below?: string) {
    const prefix = `reprise-${purpose}-`;
    this.path = makeTempDirSync(below === undefined ? { prefix } : { prefix, dir: below });
    this.#lock = lockIn(this.path);
    atEnd(this.#remove);
    removeAbandoned(dirname(this.path));
  }

  /** If the removal fails, a later process removes the folder. */
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
    // A file system without locks: no other process considers the folder abandoned.
    return undefined;
  }
}

const looked_at = new Set<string>();

/** Removes temporary folders that killed processes left in `below`. Runs once per folder. */
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
    // The folder does not exist, or cannot be listed.
  }
}

function isAbandoned(path: string): boolean {
  const { uid, mtime } = lstatSync(path);
  if (uid !== null && uid !== (ownUser() ?? uid)) return false;
  const lock = join(path, LOCK);
  if (existsSync(lock)) return probeLock(lock) === "free";
  return Date.now() - (mtime?.getTime() ?? Infinity) > UNLOCKED_MS;
}
