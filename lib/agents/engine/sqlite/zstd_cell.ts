/** Decompresses a text that a database cell holds in zstd format. */
import { zstdDecompressSync } from "node:zlib";

/** Maximum bytes of a decompressed text. Only a damaged cell exceeds it. */
const MOST_BYTES = 256 * 1024 * 1024;

export function zstdText(bytes: Uint8Array | undefined): string | undefined {
  try {
    return zstdDecompressSync(bytes ?? "", { maxOutputLength: MOST_BYTES }).toString();
  } catch {
    // An error of zlib, which has no type of its own.
    return undefined;
  }
}
