/**
 * The first bytes of a file, to tell what it is.
 */
import { readOpened } from "./byte_source.ts";
import { readWhole } from "./read_whole.ts";

/** First bytes of a file. */
export interface FileHead {
  /** At most as many as were asked for. */
  bytes: Uint8Array;
  /** Whether that is all of it. */
  whole: boolean;
}

/** Bytes that nearly always suffice to tell one format from another. */
const HEAD_BYTES = 64 * 1024;

/** Bytes that suffice where the first lines are long: a prompt may hold a screenshot. */
export const LONGER_HEAD_BYTES = 1024 * 1024;

/**
 * Reads the first bytes of a file.
 *
 * @throws {SessionError} `not-found`, `permission`, `unsupported-source`
 */
export async function readHead(path: string, most_bytes = HEAD_BYTES): Promise<FileHead> {
  return await readOpened(path, async (file) => {
    const bytes = readWhole(file, new Uint8Array(most_bytes));
    const whole = bytes.length < most_bytes || (await file.stat()).size <= most_bytes;
    return { bytes, whole };
  });
}
