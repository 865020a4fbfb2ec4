/**
 * Reading a buffer whole: one read, but for what the system cuts short.
 */
import { type OpenFile, SeekMode } from "../platform/file_system.ts";

/** Fills a buffer from where a file stands; gives what was filled: all, unless the file ends before. */
export function readWhole(file: OpenFile, bytes: Uint8Array): Uint8Array {
  let filled = 0;
  while (filled < bytes.length) {
    const count = file.readSync(filled === 0 ? bytes : bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** Fills a buffer with what stands at an offset of a file; gives what was filled. */
export function readAt(file: OpenFile, offset: number, bytes: Uint8Array): Uint8Array {
  file.seekSync(offset, SeekMode.Start);
  return readWhole(file, bytes);
}
