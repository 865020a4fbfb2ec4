/** Opens, locks and describes files under Node and Bun. */
import type { Stats } from "node:fs";
import { SessionError } from "../event/session_error.ts";
import { type FileInfo, type OpenFile, type SeekFrom, SeekMode } from "./file_system.ts";
import { pauseSync } from "./pause.ts";
import { builtin, operatingSystem } from "./runtime.ts";
import { openAlone } from "./share_nothing.ts";

/** The descriptor of a file that is closed. */
const CLOSED = -1;

/** Number of tries to take a shared lock on Windows. */
const PROBES = 3;
const PROBE_STEP_MS = 4;

type Callback = (error: Error | null) => void;

/** Resolves when `call` calls back. Rejects if it calls back with an error. */
function ended(call: (callback: Callback) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => error === null || error === undefined ? resolve() : reject(error));
  });
}

/** A regular file, or a folder that is open to be synced. */
export class NodeFile implements OpenFile {
  #fd: number;
  readonly #path: string;
  readonly #append: boolean;
  /** Closes the exclusive handle that locks a file on Windows; undefined if it is not locked. */
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
    if (from + offset < 0) throw new RangeError("Cannot seek to before the start of the file");
    return this.#position = from + offset;
  }

  statSync(): FileInfo {
    return fileInfoOf(builtin("node:fs").fstatSync(this.#fd));
  }

  async stat(): Promise<FileInfo> {
    return await Promise.resolve(this.statSync());
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
    return operatingSystem === "windows"
      ? this.#tryAlone(exclusive)
      : tryFlock(this.#fd, exclusive);
  }

  /** Locks the file with an exclusive handle. Afterwards it cannot be read or written. */
  #tryAlone(exclusive: boolean): boolean {
    // Its own handle would be in the way.
    this.#closeShared();
    // A reader that asks whether somebody writes may only have met another one that asks.
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

/** Converts the result of `stat`. Times are cut to milliseconds, as in Deno. */
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

/** A program that can call `flock`, and its arguments for each kind of lock. */
interface Locker {
  program: string;
  exclusive: readonly string[];
  shared: readonly string[];
}

/** Returns Perl's arguments. It exits with 1 if the lock is held, as `flock`; else with 4. */
function perl(operation: "LOCK_EX" | "LOCK_SH"): string[] {
  const script = `open(F, "<&=", 3) or exit 4; exit 0 if flock(F, ${operation} | LOCK_NB); ` +
    "exit($!{EWOULDBLOCK} ? 1 : 4)";
  return ["-MErrno", "-MFcntl=:flock", "-e", script];
}

/** Programs that can lock, in the order in which to try them. Linux has `flock`, macOS Perl. */
const LOCKERS: readonly Locker[] = [
  { program: "flock", exclusive: ["-x", "-n", "3"], shared: ["-s", "-n", "3"] },
  { program: "perl", exclusive: perl("LOCK_EX"), shared: perl("LOCK_SH") },
];

/**
 * Takes a lock, if that is possible at once.
 *
 * @returns False when another holds it.
 * @throws {SessionError} `io` where no program can take a lock, or the file system has none.
 */
function tryFlock(fd: number, exclusive: boolean): boolean {
  for (const locker of LOCKERS) {
    const taken = tryBy(locker, fd, exclusive);
    if (taken !== undefined) return taken;
  }
  throw lockError(
    "neither flock nor perl can be started to lock the file; install util-linux, or run Reprise with Deno",
  );
}

/** Takes the lock by one program; undefined if that program cannot be started. */
function tryBy(locker: Locker, fd: number, exclusive: boolean): boolean | undefined {
  const { spawnSync } = builtin("node:child_process");
  const args = exclusive ? locker.exclusive : locker.shared;
  const { error, status, signal, stderr } = spawnSync(locker.program, [...args], {
    stdio: ["ignore", "ignore", "pipe", fd],
  });
  if (error !== undefined) return undefined;
  if (status === 0 || status === 1) return status === 0;
  const reason = String(stderr).trim() || `${locker.program} ended with ${status ?? signal}`;
  throw lockError(reason);
}

function lockError(reason: string): SessionError {
  return new SessionError("io", `Cannot lock file: ${reason}`, {});
}
