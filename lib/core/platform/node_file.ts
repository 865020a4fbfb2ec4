/** Opens, locks and describes files under Node and Bun. */
import type { Stats } from "node:fs";
import { type FileInfo, type OpenFile, type SeekFrom, SeekMode } from "./file_system.ts";
import { tryFlockByProgram, tryFlockSoon } from "./flock_program.ts";
import { lockingOpen } from "./locking_open.ts";
import { nativeFlock } from "./native_flock.ts";
import { pauseSync } from "./pause.ts";
import { builtin, operatingSystem } from "./runtime.ts";
import { openAlone } from "./share_nothing.ts";

const CLOSED = -1;

/** Number of tries to take a shared lock on Windows. */
const PROBES = 3;
const PROBE_STEP_MS = 4;

type Callback = (error: Error | null) => void;

function ended(call: (callback: Callback) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => error === null || error === undefined ? resolve() : reject(error));
  });
}

export function locksWithoutProgram(): boolean {
  return operatingSystem === "windows" || operatingSystem === "darwin" ||
    nativeFlock() !== undefined;
}

/** A regular file, or a folder that is open to be synced. */
export class NodeFile implements OpenFile {
  #fd: number;
  readonly #path: string;
  readonly #append: boolean;
  /** Closes the exclusive handle that locks the file on Windows. Undefined without a lock. */
  #closeAlone: (() => void) | undefined;
  /** Offset of the next read: the system's own position is not used. */
  #position = 0;

  constructor(fd: number, path: string, append: boolean) {
    this.#fd = fd;
    this.#path = path;
    this.#append = append;
  }

  readSync(bytes: Uint8Array): number | null {
    if (bytes.length === 0) return 0;
    const { readSync } = builtin("node:fs");
    const count = readSync(this.#fd, bytes, 0, bytes.length, this.#position);
    return this.#advanced(count);
  }

  read(bytes: Uint8Array): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const { read } = builtin("node:fs");
      read(this.#fd, bytes, 0, bytes.length, this.#position, (error, count) => {
        if (error) reject(error);
        else resolve(this.#advanced(count));
      });
    });
  }

  #advanced(count: number): number | null {
    this.#position += count;
    return count === 0 ? null : count;
  }

  writeSync(bytes: Uint8Array): number {
    const { writeSync } = builtin("node:fs");
    const at = this.#append ? null : this.#position;
    const count = writeSync(this.#fd, bytes, 0, bytes.length, at);
    if (!this.#append) this.#position += count;
    return count;
  }

  seekSync(offset: number, whence: SeekFrom): number {
    const from = whence === SeekMode.End
      ? this.statSync().size
      : whence === SeekMode.Current
      ? this.#position
      : 0;
    if (from + offset < 0) {
      throw new RangeError("Cannot read file: the position is before its first byte");
    }
    return this.#position = from + offset;
  }

  statSync(): FileInfo {
    return fileInfoOf(builtin("node:fs").fstatSync(this.#fd));
  }

  truncateSync(length: number): void {
    builtin("node:fs").ftruncateSync(this.#fd, length);
  }

  syncData(): Promise<void> {
    return ended((callback) => builtin("node:fs").fdatasync(this.#fd, callback));
  }

  syncDataSync(): void {
    builtin("node:fs").fdatasyncSync(this.#fd);
  }

  sync(): Promise<void> {
    return ended((callback) => builtin("node:fs").fsync(this.#fd, callback));
  }

  syncSync(): void {
    builtin("node:fs").fsyncSync(this.#fd);
  }

  tryLockSync(exclusive: boolean): boolean {
    return this.#tryAtOnce(exclusive) ?? tryFlockByProgram(this.#fd, exclusive);
  }

  async tryLock(exclusive: boolean): Promise<boolean> {
    return this.#tryAtOnce(exclusive) ?? await tryFlockSoon(this.#fd, exclusive);
  }

  /** Tries to lock the file without starting a program. Undefined if this process cannot do so. */
  #tryAtOnce(exclusive: boolean): boolean | undefined {
    if (operatingSystem === "windows") return this.#tryAlone(exclusive);
    const taken = nativeFlock()?.(this.#fd, exclusive);
    return taken ?? (operatingSystem === "darwin" ? this.#tryByOpening(exclusive) : undefined);
  }

  /** Opens the file again with a lock, as macOS can, and closes the earlier descriptor. */
  #tryByOpening(exclusive: boolean): boolean | undefined {
    const opened = lockingOpen(this.#path, this.#fd, exclusive);
    if (typeof opened !== "number") return opened;
    this.#closeShared();
    this.#fd = opened;
    return true;
  }

  /** Locks the file with an exclusive handle. Afterwards the file cannot be read or written. */
  #tryAlone(exclusive: boolean): boolean {
    // This file's other handle would prevent an exclusive one.
    this.#closeShared();
    // A reader that looks for a writer may only have met another reader that looks.
    const tries = exclusive ? 1 : PROBES;
    for (let at = 0; at < tries && this.#closeAlone === undefined; at++) {
      if (at > 0) pauseSync(PROBE_STEP_MS);
      this.#closeAlone = openAlone(this.#path);
    }
    return this.#closeAlone !== undefined;
  }

  unlockSync(): void {
    // No other process inherits the open file, so closing releases a lock of `flock`.
    this.#closeAlone?.();
    this.#closeAlone = undefined;
  }

  close(): void {
    this.unlockSync();
    this.#closeShared();
  }

  #closeShared(): void {
    if (this.#fd !== CLOSED) builtin("node:fs").closeSync(this.#fd);
    this.#fd = CLOSED;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Cuts times to milliseconds, as Deno does. */
export function fileInfoOf(stats: Stats): FileInfo {
  return {
    isFile: stats.isFile(),
    isDirectory: stats.isDirectory(),
    isSymlink: stats.isSymbolicLink(),
    isFifo: stats.isFIFO(),
    isSocket: stats.isSocket(),
    size: stats.size,
    mtime: new Date(Math.floor(stats.mtimeMs)),
    ctime: new Date(Math.floor(stats.ctimeMs)),
    dev: stats.dev,
    ino: stats.ino,
    nlink: stats.nlink,
    mode: stats.mode,
    uid: stats.uid,
    gid: stats.gid,
  };
}
