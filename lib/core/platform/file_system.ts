/**
 * Types of the file operations that the program uses, in Deno's form. Deno's own functions fit
 * these types. Node's functions are adapted to them.
 */

export interface FileInfo {
  isFile: boolean;
  isDirectory: boolean;
  isSymlink: boolean;
  isFifo: boolean | null;
  isSocket: boolean | null;
  size: number;
  mtime: Date | null;
  ctime: Date | null;
  dev: number;
  ino: number | null;
  nlink: number | null;
  mode: number | null;
  uid: number | null;
  gid: number | null;
}

export interface DirEntry {
  name: string;
  isFile: boolean;
  isDirectory: boolean;
  isSymlink: boolean;
}

export interface FileOpenOptions {
  read?: boolean;
  write?: boolean;
  append?: boolean;
  /** True to create the file. Fails if it exists. */
  createNew?: boolean;
  mode?: number;
}

export interface WriteOptions {
  createNew?: boolean;
  mode?: number;
}

export interface MakeFolderOptions {
  recursive?: boolean;
  mode?: number;
}

export const SeekMode = { Start: 0, Current: 1, End: 2 } as const;

export type SeekFrom = (typeof SeekMode)[keyof typeof SeekMode];

export interface WritableFile {
  writeSync(bytes: Uint8Array): number;
}

export interface OpenFile extends WritableFile, Disposable {
  readSync(bytes: Uint8Array): number | null;
  read(bytes: Uint8Array): Promise<number | null>;
  seekSync(offset: number, whence: SeekFrom): number;
  statSync(): FileInfo;
  truncateSync(length: number): void;
  syncData(): Promise<void>;
  syncDataSync(): void;
  sync(): Promise<void>;
  syncSync(): void;
  /** Tries to take a lock, like `flock(2)`. Returns false if the lock is not free now. */
  tryLockSync(exclusive: boolean): boolean;
  tryLock(exclusive: boolean): Promise<boolean>;
  /** Releases the lock. Close the file afterwards: some systems release the lock only then. */
  unlockSync(): void;
  close(): void;
}

export interface FileSystem {
  openSync(path: string, options: FileOpenOptions): OpenFile;
  open(path: string, options?: FileOpenOptions): Promise<OpenFile>;
  statSync(path: string): FileInfo;
  stat(path: string): Promise<FileInfo>;
  lstatSync(path: string): FileInfo;
  lstat(path: string): Promise<FileInfo>;
  readDirSync(path: string): Iterable<DirEntry>;
  readLinkSync(path: string): string;
  realPathSync(path: string): string;
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  writeTextFile(path: string, text: string): Promise<void>;
  writeTextFileSync(path: string, text: string, options?: WriteOptions): void;
  mkdir(path: string, options?: MakeFolderOptions): Promise<void>;
  mkdirSync(path: string, options?: MakeFolderOptions): void;
  makeTempDirSync(options: { prefix: string; dir?: string }): string;
  copyFileSync(from: string, to: string): void;
  renameSync(from: string, to: string): void;
  linkSync(from: string, to: string): void;
  /** Sets when a file was last read and changed, to the millisecond. */
  utimeSync(path: string, accessed: Date, modified: Date): void;
  removeSync(path: string, options?: { recursive?: boolean }): void;
  chmodSync(path: string, mode: number): void;
}
