/**
 * Opens a file for reading, only if it is a regular file. A pipe would block, and a device never
 * ends. Deno cannot open without blocking, so the path is checked before the open and the file
 * after it. Whoever swaps in a pipe between the two checks causes only a wait.
 */
import { SessionError } from "../event/session_error.ts";
import type { FileInfo, OpenFile } from "../platform/file_system.ts";
import { lstatSync, openSync, statSync } from "../platform/files.ts";
import { operatingSystem } from "../platform/runtime.ts";
import { isNotFound } from "../platform/system_error.ts";
import { isThere } from "./presence.ts";
import { FramedFile, PACKED_SUFFIX } from "./framed_file.ts";

export interface OpenRegularOptions {
  /**
   * True to follow a symbolic link at the path. False for files of the store, where a link is
   * refused as `unsafe-store`. @default {true}
   */
  follow?: boolean;
  /** Word for the file in messages, as in "Cannot read log". @default {"file"} */
  what?: string;
  /** True to check the file after opening, too. Not needed if nothing is read. @default {true} */
  again?: boolean;
}

export interface OpenedFile {
  file: OpenFile;
  info: FileInfo;
}

export function refusedFile(
  reason: string,
  path: string,
  { follow = true, what = "file" }: OpenRegularOptions,
): SessionError {
  const code = follow ? "unsupported-source" : "unsafe-store";
  return new SessionError(code, `Cannot read ${what}: ${reason}: ${path}`, { path });
}

function kindOf({ isSymlink, isFifo, isSocket }: FileInfo): string {
  if (isSymlink) return "the path is a symbolic link; replace the link with the file itself";
  return isFifo || isSocket
    ? "the path is not a file; save the data to a file first"
    : "the path is not a file";
}

/**
 * True if both are the same file. Always true on Windows, which does not identify every open file.
 * There, only administrators can make links.
 */
export function isSameFile(one: FileInfo, other: FileInfo): boolean {
  return operatingSystem === "windows" || (one.dev === other.dev && one.ino === other.ino);
}

/**
 * Opens a regular file for reading. If only its packed form exists, opens that, and reads return
 * the plain bytes.
 *
 * @throws {SessionError} `unsupported-source` if the path is no regular file, or `unsafe-store` if
 * `follow` is false. `damaged` for a damaged packed file. Other errors of the system are thrown
 * unchanged.
 */
export function openRegularFile(path: string, options: OpenRegularOptions = {}): OpenedFile {
  try {
    return openPlain(path, options);
  } catch (error) {
    const file = isNotFound(error) ? openPacked(path) : undefined;
    if (file === undefined) throw error;
    return { file, info: file.statSync() };
  }
}

/** Returns the information of a file. For a packed file, the size is that of its plain content. */
export function statFile(path: string): FileInfo {
  try {
    return statSync(path);
  } catch (error) {
    using file = isNotFound(error) ? openPacked(path) : undefined;
    if (file === undefined) throw error;
    return file.statSync();
  }
}

export function pathOnDisk(path: string): string {
  const packed = path + PACKED_SUFFIX;
  return !isThere(path) && isThere(packed) ? packed : path;
}

function openPacked(path: string): FramedFile | undefined {
  // Only logs have a packed form.
  const packed = path.endsWith(".jsonl") ? pathOnDisk(path) : path;
  if (packed === path) return undefined;
  const { file } = openPlain(packed, { follow: false });
  try {
    const plain = FramedFile.of(file, packed);
    if (plain === undefined) throw notInFrames(packed);
    return plain;
  } catch (error) {
    file.close();
    throw error;
  }
}

function notInFrames(path: string): SessionError {
  const message =
    `Cannot read packed file: the file is damaged, or is an earlier generation: ${path}\n` +
    "To restore an earlier one: reprise backup restore REF --generation N --out FILE";
  return new SessionError("damaged", message, { path });
}

function openPlain(path: string, options: OpenRegularOptions): OpenedFile {
  const { follow = true, again = true } = options;
  const seen = follow ? statSync(path) : lstatSync(path);
  if (!seen.isFile) throw refusedFile(kindOf(seen), path, options);
  const file = openSync(path, { read: true });
  if (!again) return { file, info: seen };
  try {
    const info = file.statSync();
    if (!info.isFile) throw refusedFile(kindOf(info), path, options);
    if (!follow && !isSameFile(info, seen)) {
      throw refusedFile("the file was replaced in the meantime", path, options);
    }
    return { file, info };
  } catch (error) {
    file.close();
    throw error;
  }
}
