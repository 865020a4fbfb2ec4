/** Decompresses the text of a cell. */
import { zstdDecompressSync } from "node:zlib";

/** Maximum number of bytes of a text: more would come from a damaged cell. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Returns the text in a cell that zstd compressed; undefined if bytes were lost. */
export function zstdText(bytes: Uint8Array | undefined): string | undefined {
  try {
    return zstdDecompressSync(bytes ?? "", { maxOutputLength: MOST_BYTES }).toString();
  } catch {
    // An error of zlib, which has no type of its own.
    return undefined;
  }
}
