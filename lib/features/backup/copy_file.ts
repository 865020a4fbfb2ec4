/** Brings the copy of one file up to date with its source, by adding bytes. */
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { KeptFile } from "../../library/machine/kept/manifest.ts";
import { openOrMakeOwnFile, openOwnFile } from "../../core/log/own_file.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import { type OpenFile, SeekMode } from "../../core/platform/file_system.ts";
import { lstatSync } from "../../core/platform/files.ts";
import { makeDirectories } from "../../core/store/create_log.ts";
import { checksumOf, markBefore, openSource, piecesOf, stateOf } from "./source_file.ts";

interface Addition {
  file: KeptFile;
  added: number;
  /** True if the source has more bytes or changed during the copying, and must be read again. */
  more: boolean;
}

/**
 * Appends the source's new bytes to the copy. Adds nothing if the source was rewritten.
 *
 * @param copy Absolute path of the copy. A missing copy is made if no bytes are kept yet.
 * @param most_bytes Maximum bytes to add.
 * @param now Milliseconds since 1970.
 * @throws The system's error. The copy's kept bytes are then unchanged.
 */
export async function addGrowth(
  file: KeptFile,
  copy: string,
  { most_bytes, now, sync }: { most_bytes: number; now: number; sync: boolean },
): Promise<Addition> {
  const { file: source, info } = openSource(file.path);
  try {
    const state = stateOf(info);
    const to = Math.min(state.size, file.bytes + most_bytes);
    const mark = markBefore(source, file.bytes);
    if (file.bytes > 0 && mark !== file.mark) return { file, added: 0, more: true };
    using target = openCopy(copy, file.bytes);
    target.truncateSync(file.bytes);
    const { at, crc } = copyPieces(source, target, { from: file.bytes, to, crc: file.crc });
    if (changedMeanwhile(source, file, mark, at)) {
      target.truncateSync(file.bytes);
      return { file, added: 0, more: true };
    }
    if (sync) await target.syncData();
    const next: KeptFile = {
      ...file,
      ...{ bytes: at, crc, mark: markBefore(target, at) ?? 0 },
      ...{ mode: state.mode, mtime: state.mtime, ctime: state.ctime, ino: state.ino, seen: now },
    };
    return { file: next, added: at - file.bytes, more: at < state.size };
  } finally {
    source.close();
  }
}

function openCopy(copy: string, bytes: number): OpenFile {
  const options = { read: true, write: true };
  if (bytes > 0) return openOwnFile(copy, options);
  makeDirectories(dirname(copy));
  return openOrMakeOwnFile(copy, options);
}

function copyPieces(
  source: OpenFile,
  target: OpenFile,
  { from, to, crc }: { from: number; to: number; crc: number },
): { at: number; crc: number } {
  let [at, sum] = [from, crc];
  target.seekSync(from, SeekMode.Start);
  try {
    for (const bytes of piecesOf(source, from, to)) {
      writeWhole(target, bytes);
      sum = crc32(bytes, sum);
      at += bytes.length;
    }
  } catch (error) {
    // The disk is full, or the source cannot be read: the copy is what it was.
    target.truncateSync(from);
    throw error;
  }
  return { at, crc: sum };
}

function changedMeanwhile(
  source: OpenFile,
  { bytes }: KeptFile,
  mark: number | undefined,
  at: number,
): boolean {
  return source.statSync().size < at || markBefore(source, bytes) !== mark;
}

export async function syncCopy(copy: string): Promise<void> {
  using file = openOwnFile(copy, { read: true, write: true });
  await file.syncData();
}

type CopyCondition =
  /** The copy has all its bytes. Further bytes at its end do not count. */
  | "whole"
  /** The copy is shorter than the manifest says. */
  | "short"
  /** The copy's last bytes differ from the manifest's checksum. */
  | "damaged"
  | "missing";

export function conditionOf(copy: string, { bytes, mark }: KeptFile): CopyCondition {
  let size: number;
  try {
    size = lstatSync(copy).size;
  } catch {
    // NotFound.
    return bytes === 0 ? "whole" : "missing";
  }
  if (size < bytes) return "short";
  using file = openOwnFile(copy, { read: true });
  return bytes === 0 || markBefore(file, bytes) === mark ? "whole" : "damaged";
}

export function shortened(copy: string, file: KeptFile): KeptFile {
  using opened = openOwnFile(copy, { read: true });
  const bytes = Math.min(opened.statSync().size, file.bytes);
  const crc = checksumOf(opened, 0, bytes) ?? 0;
  // With no inode, all that is left is compared with the source before anything is added.
  return { ...file, bytes, crc, mark: markBefore(opened, bytes) ?? 0, seen: 0 };
}
