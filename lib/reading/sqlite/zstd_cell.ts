/** Decompresses the text of a cell. */
import { Buffer } from "node:buffer";
import { zstdDecompressSync } from "node:zlib";

/** The most bytes of a text: more would come from a damaged cell. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Returns the text in a cell that zstd compressed, from its `hex(…)`; undefined if bytes were lost. */
export function zstdText(hex: unknown): string | undefined {
  try {
    const bytes = Buffer.from(String(hex), "hex");
    return zstdDecompressSync(bytes, { maxOutputLength: MOST_BYTES }).toString();
  } catch {
    // An error of zlib, which has no type of its own.
    return undefined;
  }
}
