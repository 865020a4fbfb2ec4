/**
 * The first bytes of a file, to tell what it is.
 */
import { readOpened } from "./byte_source.ts";
import { readWhole } from "./read_whole.ts";

/** First bytes of a file. */
export interface FileHead {
  /** At most 64 KiB. */
  bytes: Uint8Array;
  /** Whether that is all of it. */
  whole: boolean;
}

/** Bytes that suffice to tell one format from another. */
const HEAD_BYTES = 64 * 1024;

/**
 * Reads the first 64 KiB of a file.
 *
 * @throws {SessionError} `not-found`, `permission`, `unsupported-source`
 */
export async function readHead(path: string): Promise<FileHead> {
  return await readOpened(path, async (file) => {
    const bytes = readWhole(file, new Uint8Array(HEAD_BYTES));
    const whole = bytes.length < HEAD_BYTES || (await file.stat()).size <= HEAD_BYTES;
    return { bytes, whole };
  });
}
