/** Fills a buffer with one read, unless the system cuts the read short. Reads heads of files. */
import { type OpenFile, SeekMode } from "../platform/file_system.ts";
import { readOpened } from "./byte_source.ts";

/** Fills a buffer from the file's current position. Returns the part that was filled. */
export function readWhole(file: OpenFile, bytes: Uint8Array): Uint8Array {
  let filled = 0;
  while (filled < bytes.length) {
    const count = file.readSync(filled === 0 ? bytes : bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

export function readAt(file: OpenFile, offset: number, bytes: Uint8Array): Uint8Array {
  file.seekSync(offset, SeekMode.Start);
  return readWhole(file, bytes);
}

export interface FileHead {
  bytes: Uint8Array;
  whole: boolean;
}

/** Bytes that nearly always suffice to tell one format from another. */
const HEAD_BYTES = 64 * 1024;

/** Bytes that tell the format even if the first lines are long, such as with a screenshot. */
export const LONGER_HEAD_BYTES = 1024 * 1024;

/**
 * Reads the first bytes of a file.
 *
 * @throws {SessionError} `not-found`, `permission`, `unsupported-source`
 */
export async function readHead(path: string, most_bytes = HEAD_BYTES): Promise<FileHead> {
  return await readOpened(path, (file) => {
    const bytes = readWhole(file, new Uint8Array(most_bytes));
    const whole = bytes.length < most_bytes || file.statSync().size <= most_bytes;
    return Promise.resolve({ bytes, whole });
  });
}
