/** Implements the file operations under Deno, Node and Bun. */
import { join } from "node:path";
import type { FileOpenOptions, FileSystem, OpenFile } from "./file_system.ts";
import { fileInfoOf, locksWithoutProgram, NodeFile } from "./node_file.ts";
import { withSoftSync } from "./refused_sync.ts";
import { retried } from "./retried.ts";
import { builtin, isDeno, operatingSystem } from "./runtime.ts";
import { isBusy, isPermissionDenied } from "./system_error.ts";

/** Wraps an opened file so that its syncs succeed even if a macOS disk refuses them. */
const opened = operatingSystem === "darwin" ? withSoftSync : <File>(file: File): File => file;

export const denoFiles: FileSystem = {
  openSync: (path, options) => opened(Deno.openSync(path, options)),
  open: async (path, options) => opened(await Deno.open(path, options)),
  statSync: (path) => Deno.statSync(path),
  stat: (path) => Deno.stat(path),
  lstatSync: (path) => Deno.lstatSync(path),
  lstat: (path) => Deno.lstat(path),
  readDirSync: (path) => Deno.readDirSync(path),
  readLinkSync: (path) => Deno.readLinkSync(path),
  realPathSync: (path) => Deno.realPathSync(path),
  readFile: (path) => Deno.readFile(path),
  writeTextFile: (path, text) => Deno.writeTextFile(path, text),
  writeTextFileSync: (path, text, options) => Deno.writeTextFileSync(path, text, options),
  mkdir: (path, options) => Deno.mkdir(path, options),
  mkdirSync: (path, options) => Deno.mkdirSync(path, options),
  makeTempDirSync: (options) => Deno.makeTempDirSync(options),
  copyFileSync: (from, to) => Deno.copyFileSync(from, to),
  renameSync: (from, to) => Deno.renameSync(from, to),
  linkSync: (from, to) => Deno.linkSync(from, to),
  utimeSync: (path, accessed, modified) => Deno.utimeSync(path, accessed, modified),
  removeSync: (path, options) => Deno.removeSync(path, options),
  chmodSync: (path, mode) => Deno.chmodSync(path, mode),
};

const READ_ALL = 0o666;
const FOLDER_MODE = 0o777;

function fs(): typeof import("node:fs") {
  return builtin("node:fs");
}

function flagsOf(
  { read = false, write = false, append = false, createNew }: FileOpenOptions,
): number {
  const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = fs().constants;
  const writes = write || append;
  const access = writes ? (read ? O_RDWR : O_WRONLY) : O_RDONLY;
  return access | (append ? O_APPEND : 0) | (createNew ? O_CREAT | O_EXCL : 0);
}

function openNodeFile(path: string, options: FileOpenOptions): OpenFile {
  const fd = fs().openSync(path, flagsOf(options), options.mode ?? READ_ALL);
  return new NodeFile(fd, path, options.append ?? false);
}

export const nodeFiles: FileSystem = {
  openSync: openNodeFile,
  open: async (path, options = { read: true }) =>
    await Promise.resolve(openNodeFile(path, options)),
  statSync: (path) => fileInfoOf(fs().statSync(path)),
  stat: async (path) => fileInfoOf(await fs().promises.stat(path)),
  lstatSync: (path) => fileInfoOf(fs().lstatSync(path)),
  lstat: async (path) => fileInfoOf(await fs().promises.lstat(path)),
  readDirSync: (path) =>
    fs().readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFile: entry.isFile(),
      isDirectory: entry.isDirectory(),
      isSymlink: entry.isSymbolicLink(),
    })),
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
  makeTempDirSync: ({ prefix, dir = builtin("node:os").tmpdir() }) =>
    fs().mkdtempSync(join(dir, prefix)),
  copyFileSync: (from, to) => fs().copyFileSync(from, to),
  renameSync: (from, to) => fs().renameSync(from, to),
  linkSync: (from, to) => fs().linkSync(from, to),
  utimeSync: (path, accessed, modified) => fs().utimesSync(path, accessed, modified),
  removeSync(path, { recursive = false } = {}): void {
    const { lstatSync, rmdirSync, rmSync, unlinkSync } = fs();
    if (recursive) rmSync(path, { recursive: true });
    else if (lstatSync(path).isDirectory()) rmdirSync(path);
    else unlinkSync(path);
  },
  chmodSync: (path, mode) => fs().chmodSync(path, mode),
};

const files: FileSystem = isDeno ? denoFiles : nodeFiles;

/** Renames a file. On Windows, tries again while another program has one of the two files open. */
export const renameSync: FileSystem["renameSync"] = operatingSystem === "windows"
  ? (from, to) =>
    retried(() => files.renameSync(from, to), (error) => isBusy(error) || isPermissionDenied(error))
  : files.renameSync;

/** True if locks are taken at once. False under a Node that starts a program to take a lock. */
export function locksAtOnce(): boolean {
  return isDeno || locksWithoutProgram();
}

export const {
  chmodSync,
  copyFileSync,
  linkSync,
  lstat,
  lstatSync,
  makeTempDirSync,
  mkdir,
  mkdirSync,
  open,
  openSync,
  readDirSync,
  readFile,
  readLinkSync,
  realPathSync,
  removeSync,
  stat,
  statSync,
  utimeSync,
  writeTextFile,
  writeTextFileSync,
} = files;
