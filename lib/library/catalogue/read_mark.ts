/**
 * How far a file was read. A file that only grew since is read from there; one that was rewritten is
 * read anew.
 */
import { crc32 } from "node:zlib";
import { openToRead } from "../../log/byte_source.ts";
import { readWhole } from "../../log/read_whole.ts";

/** A place in a file up to which it was read. */
export interface ReadMark {
  /** Offset behind the last byte that was read. */
  offset: number;
  /** CRC-32 of the 64 bytes before that offset, or of as many as there are. */
  crc: number;
}

const CHECKED_BYTES = 64;

/** Marks a place in a file; undefined where the file does not reach that far. */
export function markRead(path: string, offset: number): ReadMark | undefined {
  const crc = checksumBefore(path, offset);
  return crc === undefined ? undefined : { offset, crc };
}

/** True where the bytes before the mark are still those that were read. */
export function reachesMark(path: string, { offset, crc }: ReadMark): boolean {
  return checksumBefore(path, offset) === crc;
}

function checksumBefore(path: string, offset: number): number | undefined {
  const length = Math.min(CHECKED_BYTES, offset);
  try {
    using file = openToRead(path);
    file.seekSync(offset - length, Deno.SeekMode.Start);
    const bytes = readWhole(file, new Uint8Array(length));
    return bytes.length === length ? crc32(bytes) : undefined;
  } catch {
    // Gone, or not to be read: it is read anew, and that tells why.
    return undefined;
  }
}
