/**
 * The first bytes of a file, to tell what it is.
 */
import { openToRead } from "./byte_source.ts";

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
  const file = await openToRead(path);
  try {
    const bytes = new Uint8Array(HEAD_BYTES);
    let filled = 0;
    while (filled < HEAD_BYTES) {
      const count = file.readSync(bytes.subarray(filled));
      if (count === null) return { bytes: bytes.subarray(0, filled), whole: true };
      filled += count;
    }
    return { bytes, whole: (await file.stat()).size <= HEAD_BYTES };
  } finally {
    file.close();
  }
}
