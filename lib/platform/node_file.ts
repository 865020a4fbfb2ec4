/** An open file under Node and Bun. */
import type { FileInfo, OpenFile, SeekFrom } from "./file_system.ts";
import { SeekMode } from "./file_system.ts";
import { fileInfoOf } from "./node_file_info.ts";
import { tryFlock } from "./node_lock.ts";
import { builtin } from "./runtime.ts";

type Callback = (error: Error | null) => void;

/** Resolves when a call with a callback of Node's form ends. */
function ended(call: (callback: Callback) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => error === null || error === undefined ? resolve() : reject(error));
  });
}

/** A regular file, or a folder that is open to be synced. */
export class NodeFile implements OpenFile {
  readonly #fd: number;
  readonly #append: boolean;
  /** Where the next read begins: the system's own position is not used. */
  #position = 0;

  constructor(fd: number, append: boolean) {
    this.#fd = fd;
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
    if (from + offset < 0) throw new RangeError("Cannot seek: before the start of the file");
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
    return tryFlock(this.#fd, exclusive);
  }

  unlockSync(): void {
    // Closing lets go: nobody else has the open file, since what is started does not inherit it.
  }

  close(): void {
    builtin("node:fs").closeSync(this.#fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
