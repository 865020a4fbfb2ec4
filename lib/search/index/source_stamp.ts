/** Tells without reading whether a session is unchanged since it was indexed. */
import { crc32 } from "node:zlib";
import { openToRead } from "../../log/byte_source.ts";
import { readWhole } from "../../log/read_whole.ts";
import { SeekMode } from "../../platform/file_system.ts";
import { statSync } from "../../platform/files.ts";

/** One file as it was: its size is -1 where it was not there. */
export interface FileStamp {
  path: string;
  size: number;
  /** 0 where the system has none. */
  ino: number;
  mtime: number;
  /** Cannot be set back, as `mtime` can. */
  ctime: number;
}

/** How a file is now. */
export function stampFile(path: string): FileStamp {
  try {
    const { size, ino, mtime, ctime } = statSync(path);
    const times = { mtime: mtime?.getTime() ?? 0, ctime: ctime?.getTime() ?? 0 };
    return { path, size, ino: ino ?? 0, ...times };
  } catch {
    // Not there, or not to be seen: that is how it is.
    return { path, size: -1, ino: 0, mtime: 0, ctime: 0 };
  }
}

/** True if a file is as it was. @param now As somebody saw it just now. @default {as it is} */
export function isUnchanged(
  stamp: FileStamp,
  now: Omit<FileStamp, "path"> = stampFile(stamp.path),
): boolean {
  return now.size === stamp.size && now.ino === stamp.ino && now.mtime === stamp.mtime &&
    now.ctime === stamp.ctime;
}

const EDGE_BYTES = 4096;

/** Checksums of the first and of the last bytes of a log up to an offset. */
export function edgeChecksums(path: string, end: number): [head: number, tail: number] | undefined {
  const length = Math.min(EDGE_BYTES, end);
  const [head, tail] = [readAt(path, 0, length), readAt(path, end - length, length)];
  return head === undefined || tail === undefined ? undefined : [crc32(head), crc32(tail)];
}

/** Some bytes of a file; undefined where they are not there. */
export function readAt(path: string, offset: number, length: number): Uint8Array | undefined {
  try {
    using file = openToRead(path);
    file.seekSync(offset, SeekMode.Start);
    const bytes = readWhole(file, new Uint8Array(length));
    return bytes.length === length ? bytes : undefined;
  } catch {
    // Gone or not to be read: it is not as it was.
    return undefined;
  }
}

const LF = 0x0a;

/** The offset behind the last newline of a log of some size; 0 where none is near its end. */
export function lastLineEnd(path: string, size: number): number {
  const length = Math.min(size, 1024 * 1024);
  const bytes = readAt(path, size - length, length);
  const at = bytes?.lastIndexOf(LF) ?? -1;
  return at < 0 ? 0 : size - length + at + 1;
}

/** Size of a file in bytes; undefined when it cannot be looked at. */
export function fileSize(path: string): number | undefined {
  try {
    const { isFile, size } = statSync(path);
    return isFile ? size : undefined;
  } catch {
    // Gone meanwhile, or not allowed: reading it says so.
    return undefined;
  }
}

/** When a file was last changed, in milliseconds since 1970; NaN when it cannot be looked at. */
export function modifiedAt(path: string): number {
  try {
    return statSync(path).mtime?.getTime() ?? NaN;
  } catch {
    // Gone meanwhile, or not allowed: reading it says so.
    return NaN;
  }
}
