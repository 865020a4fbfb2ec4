/**
 * Writes and reads files that zstd compressed. Long-distance matching finds repeated results that lie
 * megabytes apart.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";
import { SessionError } from "../event/session_error.ts";
import { openRegularFile } from "../file/regular_file.ts";
import { nextTurn } from "../log/next_turn.ts";
import { writeWhole } from "../log/write_whole.ts";
import type { OpenFile } from "../platform/file_system.ts";
import { openSync } from "../platform/files.ts";
import { piecesOf } from "./source_file.ts";

/** False under a runtime whose zlib has no zstd: Node before 22.15. */
export const hasZstd: boolean = typeof zlib.createZstdCompress === "function";

/** The window of backups, as a power of two: 32 MB. */
export const BACKUP_WINDOW_LOG = 25;

/** The parameters of a compression. */
interface ZstdOptions {
  /** The window as a power of two. */
  window_log: number;
}

/**
 * Compresses pieces into a new file, and waits until the disk has it.
 *
 * @param pieces Each stays as it is after the next one comes.
 * @returns The bytes of the file.
 */
export async function writeZstd(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  options: ZstdOptions,
): Promise<number> {
  using file = openSync(path, { write: true, createNew: true, mode: 0o600 });
  const bytes = await compress(pieces, (chunk) => writeWhole(file, chunk), options);
  file.syncSync();
  return bytes;
}

/**
 * Compresses pieces.
 *
 * @param write Gets the compressed bytes.
 * @returns Their number.
 */
export async function compress(
  pieces: AsyncIterable<Uint8Array>,
  write: (bytes: Uint8Array) => void,
  { window_log }: ZstdOptions,
): Promise<number> {
  const { ZSTD_c_windowLog, ZSTD_c_enableLongDistanceMatching, ZSTD_c_checksumFlag } =
    zlib.constants;
  const frames = zlib.createZstdCompress({
    params: {
      [ZSTD_c_windowLog]: window_log,
      ...{ [ZSTD_c_enableLongDistanceMatching]: 1, [ZSTD_c_checksumFlag]: 1 },
    },
  });
  let bytes = 0;
  const take = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) {
      write(chunk);
      bytes += chunk.length;
    }
  };
  await pipeline(Readable.from(pieces), frames, take);
  return bytes;
}

/**
 * Yields what a compressed file holds.
 *
 * @throws {SessionError} From the iterator: `damaged`, `not-found`, `permission`, `io`;
 * `unsupported-version` where the runtime has no zstd.
 */
export async function* readZstd(path: string): AsyncGenerator<Uint8Array> {
  if (!hasZstd) {
    const message =
      `Cannot unpack file: this runtime has no zstd; use Node 22.15 or later: ${path}`;
    throw new SessionError("unsupported-version", message, { path });
  }
  const { file, info } = openRegularFile(path, { follow: false });
  // Reads when it is asked: nothing is under way once the file is closed.
  const source = Readable.from(slices(file, info.size));
  const frames = zlib.createZstdDecompress();
  source.on("error", (error) => frames.destroy(error));
  try {
    yield* source.pipe(frames);
  } catch (error) {
    const message = `Cannot unpack file: it does not decompress: ${path}`;
    throw new SessionError("damaged", message, { path }, error);
  } finally {
    source.destroy();
    frames.destroy();
    file.close();
  }
}

/** Reads a range in pieces that stay valid, while the rest of the process goes on. */
export async function* heldPieces(
  file: OpenFile,
  from: number,
  to: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (const piece of piecesOf(file, from, to)) {
    // All copying shares one buffer.
    yield piece.slice();
    await nextTurn();
    // The file may be closed by now.
    signal?.throwIfAborted();
  }
}

function* slices(file: OpenFile, bytes: number): Generator<Uint8Array> {
  for (const piece of piecesOf(file, 0, bytes)) yield piece.slice();
}
