/** Streams a range of a file as chunks, in buffers that are reused once they are released. */
import { basename } from "node:path";
import { type OpenedFile, openRegularFile } from "../file/regular_file.ts";
import { type OpenFile, SeekMode } from "../platform/file_system.ts";
import { toSessionError, typedIfSystem } from "./io_error.ts";
import { nextTurn, TURN_BYTES } from "./next_turn.ts";
import { LOG_FILE } from "./own_file.ts";

/**
 * Maximum bytes of a chunk. Larger chunks are not read faster, and keep more events in memory. At
 * 512 KiB, the heap's young space grows by some 35 MB.
 */
export const CHUNK_BYTES = 128 * 1024;

export interface ByteRange {
  from?: number;
  /** Offset after the last byte. @default {the end of the file} */
  to?: number;
}

export interface ByteSource {
  /** The chunks, in file order. The buffer of each can be returned with `recycle`. */
  readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Takes back a chunk. Later chunks overwrite its bytes. */
  recycle(chunk: Uint8Array): void;
}

/**
 * Opens a regular file to read. Refuses anything else, such as a pipe, which would block. Follows a
 * link unless it has the name of a store's log file.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`, `unsafe-store`
 */
export function openToRead(path: string): OpenFile {
  return openLog(path).file;
}

export function openLog(path: string): OpenedFile {
  try {
    return openRegularFile(path, { what: "log", follow: basename(path) !== LOG_FILE });
  } catch (error) {
    throw toSessionError(error, "open log", path);
  }
}

export async function readOpened<Result>(
  path: string,
  read: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const file = openToRead(path);
  try {
    return await read(file);
  } catch (error) {
    throw typedIfSystem(error, "read log", path);
  } finally {
    file.close();
  }
}

/** Released buffers, to reuse for any file. A new buffer has to be filled with 128 KiB of zeros. */
const spare: ArrayBuffer[] = [];
const MOST_SPARE = 8;

export function recycle({ buffer }: Uint8Array): void {
  if (spare.length < MOST_SPARE) spare.push(buffer as ArrayBuffer);
}

/**
 * Yields the chunks of a file. Give each one back with {@linkcode recycle}.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`, `unsafe-store`
 */
function* byteChunks(
  path: string,
  { from = 0, to = Infinity }: ByteRange = {},
): Generator<Uint8Array<ArrayBuffer>, void> {
  try {
    using file = openToRead(path);
    if (from > 0) file.seekSync(from, SeekMode.Start);
    for (let at = from; at < to;) {
      const buffer = spare.pop() ?? new ArrayBuffer(CHUNK_BYTES);
      const room = new Uint8Array(buffer, 0, Math.min(CHUNK_BYTES, to - at));
      const count = file.readSync(room);
      if (count === null) return recycle(room);
      at += count;
      yield room.subarray(0, count);
    }
  } catch (error) {
    throw toSessionError(error, "read log", path);
  }
}

/** Reads a file. It is opened at the first pull and closed at the end, on error and on cancel. */
export function byteSource(path: string, range: ByteRange = {}): ByteSource {
  const chunks = byteChunks(path, range);
  let unbroken = 0;
  const readable = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller): Promise<void> | undefined {
      const { value } = chunks.next();
      if (value === undefined) {
        controller.close();
        return undefined;
      }
      controller.enqueue(value);
      unbroken += value.length;
      if (unbroken < TURN_BYTES) return undefined;
      unbroken = 0;
      return nextTurn();
    },
    cancel: () => void chunks.return(),
  }, { highWaterMark: 0 });
  return { readable, recycle };
}
