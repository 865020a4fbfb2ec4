/** Facts about files as Node gives them, in the shape of {@linkcode FileInfo}. */
import type { Stats } from "node:fs";
import type { FileInfo } from "./file_system.ts";

/** Converts what `stat` says. Times lose their part below a millisecond, as in Deno. */
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
