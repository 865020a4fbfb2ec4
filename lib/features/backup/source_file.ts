/** Reads a file that an agent may be writing. Never follows a link. */
import { crc32 } from "node:zlib";
import { openRegularFile } from "../../core/file/regular_file.ts";
import { readWhole } from "../../core/log/read_whole.ts";
import { type FileInfo, type OpenFile, SeekMode } from "../../core/platform/file_system.ts";
import { lstatSync, statSync } from "../../core/platform/files.ts";
import { isNotADirectory, isNotFound } from "../../core/platform/system_error.ts";
import { MARK_BYTES, type SourceStat } from "./growth_rule.ts";

/** Buffer that all copying shares, because only one piece is copied at a time. */
const piece = new Uint8Array(256 * 1024);

/** A file's state. `mode` holds the permission bits only. */
export interface SeenSource extends SourceStat {
  mode: number;
}

export function lookAtSource(path: string): SeenSource | undefined {
  try {
    const info = lstatSync(path);
    return info.isFile ? stateOf(info) : undefined;
  } catch (error) {
    if (isNotFound(error) || isNotADirectory(error)) return undefined;
    throw error;
  }
}

export function stateOf({ size, mtime, ctime, ino, mode }: FileInfo): SeenSource {
  return {
    size,
    mtime: mtime?.getTime() ?? 0,
    ctime: ctime?.getTime() ?? 0,
    ino: ino ?? 0,
    mode: (mode ?? 0o600) & 0o777,
  };
}

export function openSource(path: string): { file: OpenFile; info: FileInfo } {
  return openRegularFile(path, { follow: false, what: "session" });
}

/** Reads a range of an open file in pieces. The next piece overwrites the last one. */
export function* piecesOf(file: OpenFile, from: number, to: number): Generator<Uint8Array> {
  let at = from;
  while (at < to) {
    file.seekSync(at, SeekMode.Start);
    const bytes = readWhole(file, piece.subarray(0, Math.min(piece.length, to - at)));
    if (bytes.length === 0) return;
    at += bytes.length;
    yield bytes;
  }
}

/** Returns the CRC-32 of a range of an open file; undefined if the file ends before `to`. */
export function checksumOf(file: OpenFile, from: number, to: number): number | undefined {
  let [crc, left] = [0, to - from];
  for (const bytes of piecesOf(file, from, to)) {
    crc = crc32(bytes, crc);
    left -= bytes.length;
  }
  return left === 0 ? crc : undefined;
}

/** Returns the CRC-32 of up to `MARK_BYTES` before `place`; undefined if the file is shorter. */
export function markBefore(file: OpenFile, place: number): number | undefined {
  return checksumOf(file, Math.max(0, place - MARK_BYTES), place);
}

export function specialKind(path: string): string | undefined {
  try {
    const { isFile, isDirectory, isFifo, isSocket } = statSync(path);
    if (isFile || isDirectory) return undefined;
    return isFifo ? "a pipe" : isSocket ? "a socket" : "a device";
  } catch {
    // Gone by now, or a link that leads nowhere.
    return undefined;
  }
}
