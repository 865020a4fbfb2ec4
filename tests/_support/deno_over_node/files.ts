/** Files as Deno gives them, over `node:fs`: what tests need to make them and to look at them. */
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type {
  DirEntry,
  FileOpenOptions,
  SeekFrom,
} from "../../../lib/core/platform/file_system.ts";
import { NodeFile } from "../../../lib/core/platform/node_file.ts";
import { nodeFiles } from "../../../lib/core/platform/files.ts";

type Path = string | URL;

interface TempOptions {
  dir?: string;
  prefix?: string;
  suffix?: string;
}

interface WriteOptions {
  append?: boolean;
  createNew?: boolean;
  mode?: number;
}

interface OpenAnyOptions extends FileOpenOptions {
  create?: boolean;
  truncate?: boolean;
}

function pathOf(path: Path): string {
  return path instanceof URL ? fileURLToPath(path) : path;
}

function makeTempFileSync({ dir = tmpdir(), prefix = "", suffix = "" }: TempOptions = {}): string {
  const path = join(dir, `${prefix}${crypto.randomUUID()}${suffix}`);
  fs.writeFileSync(path, "", { flag: "wx", mode: 0o600 });
  return path;
}

function writeFileSync(path: Path, data: Uint8Array | string, options: WriteOptions = {}): void {
  const { append = false, createNew = false, mode } = options;
  const flag = (append ? "a" : "w") + (createNew ? "x" : "");
  fs.writeFileSync(path, data, { flag, ...(mode === undefined ? {} : { mode }) });
  // Deno gives a file that is there its mode as well.
  if (mode !== undefined) fs.chmodSync(path, mode);
}

/** An open file, with the calls that tests make and the library does not. */
export class FsFile extends NodeFile {
  readonly #fd: number;

  constructor(fd: number, path: string, append: boolean) {
    super(fd, path, append);
    this.#fd = fd;
  }

  override truncateSync(size = 0): void {
    fs.ftruncateSync(this.#fd, size);
  }

  truncate(size = 0): Promise<void> {
    return Promise.resolve(this.truncateSync(size));
  }

  write(bytes: Uint8Array): Promise<number> {
    return Promise.resolve(this.writeSync(bytes));
  }

  seek(offset: number, whence: SeekFrom): Promise<number> {
    return Promise.resolve(this.seekSync(offset, whence));
  }
}

function openSync(path: Path, options: OpenAnyOptions = { read: true }): FsFile {
  const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_TRUNC } = fs.constants;
  const { read = false, append = false, write = append, mode = 0o666 } = options;
  const flags = (write ? (read ? O_RDWR : O_WRONLY) : O_RDONLY) |
    (append ? O_APPEND : 0) |
    (options.create ? O_CREAT : 0) |
    (options.createNew ? O_CREAT | O_EXCL : 0) |
    (options.truncate ? O_TRUNC : 0);
  return new FsFile(fs.openSync(path, flags, mode), pathOf(path), append);
}

const sync: Record<string, (...args: never[]) => unknown> = {
  writeFileSync,
  writeTextFileSync: writeFileSync,
  readFileSync: (path: Path) => new Uint8Array(fs.readFileSync(path)),
  readTextFileSync: (path: Path) => fs.readFileSync(path, "utf8"),
  makeTempFileSync,
  makeTempDirSync: ({ dir = tmpdir(), prefix = "" }: TempOptions = {}) =>
    fs.mkdtempSync(join(dir, prefix)),
  openSync,
  mkdirSync: (path: Path, options?: { recursive?: boolean; mode?: number }) =>
    nodeFiles.mkdirSync(pathOf(path), options),
  removeSync: (path: Path, options?: { recursive?: boolean }) =>
    nodeFiles.removeSync(pathOf(path), options),
  statSync: (path: Path) => nodeFiles.statSync(pathOf(path)),
  lstatSync: (path: Path) => nodeFiles.lstatSync(pathOf(path)),
  realPathSync: (path: Path) => nodeFiles.realPathSync(pathOf(path)),
  readLinkSync: (path: Path) => fs.readlinkSync(path),
  symlinkSync: (target: string, path: Path) => fs.symlinkSync(target, path),
  linkSync: (from: Path, to: Path) => fs.linkSync(from, to),
  renameSync: (from: Path, to: Path) => fs.renameSync(from, to),
  copyFileSync: (from: Path, to: Path) => fs.copyFileSync(from, to),
  chmodSync: (path: Path, mode: number) => fs.chmodSync(path, mode),
  truncateSync: (path: Path, size = 0) => fs.truncateSync(path, size),
  utimeSync: (path: Path, atime: Date | number, mtime: Date | number) =>
    fs.utimesSync(path, atime, mtime),
};

/** The same functions, with a promise. */
const later = Object.fromEntries(
  Object.entries(sync).map(([name, call]) => [
    name.replace(/Sync$/, ""),
    (...args: never[]) => new Promise((resolve) => resolve(call(...args))),
  ]),
);

export const files: Record<string, unknown> = {
  FsFile,
  ...sync,
  ...later,
  readDirSync: (path: Path) => nodeFiles.readDirSync(pathOf(path)),
  readDir: async function* (path: Path): AsyncGenerator<DirEntry> {
    yield* nodeFiles.readDirSync(pathOf(path));
    await Promise.resolve();
  },
  SeekMode: { Start: 0, Current: 1, End: 2 },
};
