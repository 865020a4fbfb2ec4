/** The calls on files, as the runtime has them. */
import { denoFiles } from "./deno_files.ts";
import type { FileSystem } from "./file_system.ts";
import { nodeFiles } from "./node_files.ts";
import { isDeno } from "./runtime.ts";

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
