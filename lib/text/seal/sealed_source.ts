/** Reads an encrypted file as a stream of plain bytes, which are never written to a disk. */
import { type ByteSource, byteSource } from "../../core/log/byte_source.ts";
import { openSealed, type OpenSealedOptions } from "./open_sealed.ts";

/** Returns a file's decrypted bytes. Closes the file at the stream's end, error or cancellation. */
export function sealedSource(
  path: string,
  options: Omit<OpenSealedOptions, "path">,
): ByteSource {
  // Chunks are not given back: the decryption holds on to them until it has filled one of its own.
  const { readable } = byteSource(path);
  const opened = readable.pipeThrough(openSealed({ ...options, path }));
  return { readable: opened as ReadableStream<Uint8Array<ArrayBuffer>>, recycle: () => {} };
}
