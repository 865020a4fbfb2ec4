/** Writes pieces of bytes to a new file, in large writes, and hashes them on the way. */
import { createHash } from "node:crypto";
import { toSessionError } from "../../core/log/io_error.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import type { OpenFile } from "../../core/platform/file_system.ts";
import { openSync, removeSync } from "../../core/platform/files.ts";

export interface WrittenBytes {
  bytes: number;
  sha256: string;
}

const ROOM_BYTES = 256 * 1024;
const PRIVATE = 0o600;

export interface WriteBytesOptions {
  /** True for a file that is deleted soon, and so is not synced to the disk. @default {false} */
  brief?: boolean;
}

/**
 * Writes pieces to a new file, and syncs the file to the disk.
 *
 * @throws {SessionError} `permission`, `disk-full`, `io`; then no file is left.
 */
export async function writeBytes(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  what: string,
  { brief = false }: WriteBytesOptions = {},
): Promise<WrittenBytes> {
  let file: OpenFile | undefined;
  try {
    file = openSync(path, { write: true, createNew: true, mode: PRIVATE });
    const written = await writePieces(file, pieces);
    if (!brief) await file.sync();
    file.close();
    return written;
  } catch (error) {
    file?.close();
    if (file !== undefined) removeSync(path);
    throw toSessionError(error, what, path);
  }
}

async function writePieces(
  file: OpenFile,
  pieces: AsyncIterable<Uint8Array>,
): Promise<WrittenBytes> {
  const hash = createHash("sha256");
  const room = new Uint8Array(ROOM_BYTES);
  let filled = 0;
  let bytes = 0;
  const flush = (): void => {
    writeWhole(file, room.subarray(0, filled));
    filled = 0;
  };
  for await (const piece of pieces) {
    hash.update(piece);
    bytes += piece.length;
    if (filled + piece.length > room.length) flush();
    if (piece.length > room.length) {
      writeWhole(file, piece);
    } else {
      room.set(piece, filled);
      filled += piece.length;
    }
  }
  flush();
  return { bytes, sha256: hash.digest("hex") };
}
