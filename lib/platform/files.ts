/** The calls on files, as the runtime has them. */
import type { FileSystem } from "./file_system.ts";
import { nodeFiles } from "./node_files.ts";
import { isDeno } from "./runtime.ts";

export const denoFiles: FileSystem = {
  openSync: (path, options) => Deno.openSync(path, options),
  open: (path, options) => Deno.open(path, options),
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

const files: FileSystem = isDeno ? denoFiles : nodeFiles;

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
  renameSync,
  stat,
  statSync,
  utimeSync,
  writeTextFile,
  writeTextFileSync,
} = files;
