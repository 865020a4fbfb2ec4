/** Compares the bytes of two files of one session. */
import { crc32 } from "node:zlib";
import { equalBytes } from "../../../core/event/bytes.ts";
import { readAt } from "../../../core/log/read_whole.ts";
import { lookAtSource, openSource, piecesOf } from "../source_file.ts";

/**
 * Length of the other machine's file relative to this machine's file. `branch` if neither file is a
 * prefix of the other.
 */
export type FileRelation = "same" | "shorter" | "longer" | "branch";

const BLOCK = 256 * 1024;

/** Compares the common length of two files. Returns `branch` if it differs or a file is missing. */
export function compareFiles(
  own: string,
  own_bytes: number,
  other: string,
  other_bytes: number,
): FileRelation {
  if (!haveEqualStart(own, other, Math.min(own_bytes, other_bytes))) return "branch";
  if (own_bytes === other_bytes) return "same";
  return own_bytes < other_bytes ? "longer" : "shorter";
}

function haveEqualStart(one: string, other: string, bytes: number): boolean {
  if (lookAtSource(one) === undefined || lookAtSource(other) === undefined) return false;
  const { file: first } = openSource(one);
  using _first = first;
  const { file: second } = openSource(other);
  using _second = second;
  for (let at = 0; at < bytes; at += BLOCK) {
    const length = Math.min(BLOCK, bytes - at);
    const part = readAt(first, at, new Uint8Array(length));
    const is_equal = part.length === length &&
      equalBytes(part, readAt(second, at, new Uint8Array(length)));
    if (!is_equal) return false;
  }
  return true;
}

/** Returns the CRC-32 of a file's first bytes; undefined if the file has fewer bytes. */
export function checksumAt(path: string, bytes: number): number | undefined {
  if ((lookAtSource(path)?.size ?? -1) < bytes) return undefined;
  const { file } = openSource(path);
  using _closed = file;
  let crc = 0;
  for (const piece of piecesOf(file, 0, bytes)) crc = crc32(piece, crc);
  return crc;
}
