/**
 * Writes and reads files that zstd compressed. Long-distance matching finds repeated results that lie
 * megabytes apart.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import {
  assertZstd,
  damagedFile,
  FRAME_BYTES,
  FramedFile,
  frameTable,
} from "../../core/file/framed_file.ts";
import { openRegularFile } from "../../core/file/regular_file.ts";
import { nextTurn } from "../../core/log/next_turn.ts";
import { readAt } from "../../core/log/read_whole.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import type { OpenFile } from "../../core/platform/file_system.ts";
import { openSync } from "../../core/platform/files.ts";
import { piecesOf } from "./source_file.ts";

/** The window of backups, as a power of two: 32 MB. */
export const BACKUP_WINDOW_LOG = 25;

interface ZstdOptions {
  window_log: number;
}

/**
 * Compresses pieces into a new file, and waits until the file is on the disk.
 *
 * @param pieces Pieces whose bytes stay the same when later pieces are read.
 * @returns Number of bytes of the file.
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
 * Compresses a file in frames, so that a read can begin at any offset. Waits until the new file is
 * on the disk.
 *
 * @param bytes Number of bytes to compress, from the start of the file.
 * @returns Number of bytes of the new file.
 */
export async function writeFrames(
  path: string,
  source: OpenFile,
  bytes: number,
  signal?: AbortSignal,
): Promise<number> {
  using file = openSync(path, { write: true, createNew: true, mode: 0o600 });
  const params = { [zlib.constants.ZSTD_c_checksumFlag]: 1 };
  const frames: [number, number][] = [];
  const room = new Uint8Array(FRAME_BYTES);
  for (let at = 0; at < bytes; at += FRAME_BYTES) {
    signal?.throwIfAborted();
    const plain = readAt(source, at, room.subarray(0, bytes - at));
    // The file is shorter than `bytes` says.
    if (plain.length === 0) break;
    const packed = await promisify(zlib.zstdCompress)(plain, { params });
    writeWhole(file, packed);
    frames.push([packed.length, plain.length]);
  }
  writeWhole(file, frameTable(frames));
  file.syncSync();
  return file.statSync().size;
}

/** Compresses pieces, and returns the number of compressed bytes. */
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
 * Yields the decompressed bytes of a file.
 *
 * @throws {SessionError} From the iterator: `damaged`, `not-found`, `permission`, `io`;
 * `unsupported-version` if the runtime has no zstd.
 */
export async function* readZstd(path: string): AsyncGenerator<Uint8Array> {
  assertZstd(path);
  const { file, info } = openRegularFile(path, { follow: false });
  try {
    const framed = FramedFile.of(file, path);
    if (framed === undefined) yield* readStream(file, info.size, path);
    else yield* heldPieces(framed, 0, framed.statSync().size);
  } finally {
    file.close();
  }
}

async function* readStream(
  file: OpenFile,
  bytes: number,
  path: string,
): AsyncGenerator<Uint8Array> {
  // Only reads on demand, so that no read is under way once the file is closed.
  const source = Readable.from(slices(file, bytes));
  const frames = zlib.createZstdDecompress();
  source.on("error", (error) => frames.destroy(error));
  try {
    yield* source.pipe(frames);
  } catch (error) {
    throw damagedFile(path, error);
  } finally {
    source.destroy();
    frames.destroy();
  }
}

/** Yields a file's range as copied pieces, and lets other tasks run between two pieces. */
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
