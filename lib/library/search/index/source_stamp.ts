/** Tells from stamps and checksums whether a session is unchanged since it was indexed. */
import { crc32 } from "node:zlib";
import { openToRead } from "../../../core/log/byte_source.ts";
import { readWhole } from "../../../core/log/read_whole.ts";
import { SeekMode } from "../../../core/platform/file_system.ts";
import { statFile } from "../../../core/file/regular_file.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { lookAtFile, lookAtSession } from "../../catalogue/session_state.ts";
import { descriptorOf } from "../../machine/registry.ts";
import { mixNumbers } from "./mix_numbers.ts";

/** The state of a file at indexing; `size` is −1 if the file was missing. */
export interface FileStamp {
  path: string;
  size: number;
  /** Inode of the file; 0 if the system has no inodes. */
  ino: number;
  mtime: number;
  /** Time of the last change of the file's status, which cannot be set back as `mtime` can. */
  ctime: number;
}

export function stampFile(path: string): FileStamp {
  const { size, ino, mtime, ctime } = lookAtFile(path);
  return { path, size, ino, mtime, ctime };
}

/**
 * Returns the state of each file. A session printed by a user's reader program has a single state,
 * the same that the catalogue compares.
 */
export function stampsOf(session: AgentSession, paths: readonly string[]): FileStamp[] {
  return session.printed === undefined ? paths.map(stampFile) : [printedStamp(session)];
}

function printedStamp(session: AgentSession): FileStamp {
  const { path } = session;
  const { size, ino, mtime, others } = lookAtSession(
    session,
    descriptorOf(session.agent).files?.(session),
  );
  return { path, size, ino, mtime, ctime: others };
}

export function areUnchanged(session: AgentSession, stamps: readonly FileStamp[]): boolean {
  if (session.printed === undefined) return stamps.every(isUnchanged);
  const [known] = stamps;
  return known !== undefined && isSameStamp(printedStamp(session), known);
}

export function isUnchanged(stamp: FileStamp): boolean {
  return isSameStamp(stampFile(stamp.path), stamp);
}

function isSameStamp(now: FileStamp, stamp: FileStamp): boolean {
  return now.size === stamp.size && stateNumber(now) === stateNumber(stamp);
}

export function stateNumber({ ino, mtime, ctime }: Omit<FileStamp, "path">): number {
  return mixNumbers([ino, mtime, ctime]);
}

const EDGE_BYTES = 4096;

export function edgeChecksums(path: string, end: number): [head: number, tail: number] | undefined {
  const length = Math.min(EDGE_BYTES, end);
  const [head, tail] = [readAt(path, 0, length), readAt(path, end - length, length)];
  return head === undefined || tail === undefined ? undefined : [crc32(head), crc32(tail)];
}

export function readAt(path: string, offset: number, length: number): Uint8Array | undefined {
  try {
    using file = openToRead(path);
    file.seekSync(offset, SeekMode.Start);
    const bytes = readWhole(file, new Uint8Array(length));
    return bytes.length === length ? bytes : undefined;
  } catch {
    // Gone or unreadable: it has changed.
    return undefined;
  }
}

const LF = 0x0a;

/** Returns the offset after the last newline of a log; 0 if none is near its end. */
export function lastLineEnd(path: string, size: number): number {
  const length = Math.min(size, 1024 * 1024);
  const bytes = readAt(path, size - length, length);
  const at = bytes?.lastIndexOf(LF) ?? -1;
  return at < 0 ? 0 : size - length + at + 1;
}

/** Returns the size of a file in bytes; 0 if the file cannot be inspected. */
export function fileSize(path: string): number {
  try {
    const { isFile, size } = statFile(path);
    return isFile ? size : 0;
  } catch {
    // Gone or inaccessible: reading reports it.
    return 0;
  }
}

/** Returns the time of a file's last change in milliseconds since 1970; NaN if unknown. */
export function modifiedAt(path: string): number {
  try {
    return statFile(path).mtime?.getTime() ?? NaN;
  } catch {
    // Gone or inaccessible: reading reports it.
    return NaN;
  }
}
