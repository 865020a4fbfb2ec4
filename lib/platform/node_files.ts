/** The calls on files over `node:fs`, for Node and Bun. */
import { join } from "node:path";
import type { DirEntry, FileInfo, FileSystem, OpenFile, OpenOptions } from "./file_system.ts";
import { fileInfoOf, NodeFile } from "./node_file.ts";
import { builtin } from "./runtime.ts";

const READ_ALL = 0o666;
const FOLDER_MODE = 0o777;

function fs(): typeof import("node:fs") {
  return builtin("node:fs");
}

function flagsOf({ read = false, write = false, append = false, createNew }: OpenOptions): number {
  const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = fs().constants;
  const writes = write || append;
  const access = writes ? (read ? O_RDWR : O_WRONLY) : O_RDONLY;
  return access | (append ? O_APPEND : 0) | (createNew ? O_CREAT | O_EXCL : 0);
}

function openSync(path: string, options: OpenOptions): OpenFile {
  const fd = fs().openSync(path, flagsOf(options), options.mode ?? READ_ALL);
  return new NodeFile(fd, path, options.append ?? false);
}

function statSync(path: string): FileInfo {
  return fileInfoOf(fs().statSync(path));
}

function lstatSync(path: string): FileInfo {
  return fileInfoOf(fs().lstatSync(path));
}

function readDirSync(path: string): DirEntry[] {
  return fs().readdirSync(path, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    isFile: entry.isFile(),
    isDirectory: entry.isDirectory(),
    isSymlink: entry.isSymbolicLink(),
  }));
}

function removeSync(path: string, { recursive = false } = {}): void {
  const { lstatSync, rmdirSync, rmSync, unlinkSync } = fs();
  if (recursive) rmSync(path, { recursive: true });
  else if (lstatSync(path).isDirectory()) rmdirSync(path);
  else unlinkSync(path);
}

/** Files under Node and Bun. */
export const nodeFiles: FileSystem = {
  openSync,
  open: async (path, options = { read: true }) => await Promise.resolve(openSync(path, options)),
  statSync,
  stat: async (path) => fileInfoOf(await fs().promises.stat(path)),
  lstatSync,
  lstat: async (path) => fileInfoOf(await fs().promises.lstat(path)),
  readDirSync,
  readLinkSync: (path) => fs().readlinkSync(path),
  realPathSync: (path) => fs().realpathSync.native(path),
  readFile: async (path) => new Uint8Array(await fs().promises.readFile(path)),
  writeTextFile: (path, text) => fs().promises.writeFile(path, text),
  writeTextFileSync: (path, text, { createNew = false, mode = READ_ALL } = {}) =>
    fs().writeFileSync(path, text, { flag: createNew ? "wx" : "w", mode }),
  mkdir: async (path, { recursive = false, mode = FOLDER_MODE } = {}) => {
    await fs().promises.mkdir(path, { recursive, mode });
  },
  mkdirSync: (path, { recursive = false, mode = FOLDER_MODE } = {}) => {
    fs().mkdirSync(path, { recursive, mode });
  },
  makeTempDirSync: ({ prefix }) => fs().mkdtempSync(join(builtin("node:os").tmpdir(), prefix)),
  copyFileSync: (from, to) => fs().copyFileSync(from, to),
  renameSync: (from, to) => fs().renameSync(from, to),
  linkSync: (from, to) => fs().linkSync(from, to),
  utimeSync: (path, accessed, modified) => fs().utimesSync(path, accessed, modified),
  removeSync,
  chmodSync: (path, mode) => fs().chmodSync(path, mode),
};
