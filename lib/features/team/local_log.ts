/** The bytes of a log on this machine, read in place. */
import { openRegularFile } from "../../core/file/regular_file.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { type FileInfo, type OpenFile, SeekMode } from "../../core/platform/file_system.ts";
import type { LocalBytes } from "./branch_segments.ts";

const CHUNK_BYTES = 256 * 1024;
const LF = 0x0a;

/** A log that is opened for reading. Bytes that its writer appends later are ignored. */
export class LocalLog implements LocalBytes, Disposable {
  /** Number of bytes of the log's complete lines. */
  readonly size: number;
  /** The state of the file when it was opened. */
  readonly info: FileInfo;
  readonly #file: OpenFile;
  readonly #path: string;

  /**
   * Opens a log.
   *
   * @throws {SessionError} `not-found`, `permission`, `unsafe-store`, `io`
   */
  constructor(path: string) {
    this.#path = path;
    try {
      const { file, info } = openRegularFile(path, { follow: false, what: "log" });
      this.#file = file;
      this.info = info;
      this.size = this.#wholeLines(info.size);
    } catch (error) {
      throw toSessionError(error, "read log", path);
    }
  }

  read(off: number, len: number): Uint8Array {
    return this.readInto(off, new Uint8Array(len));
  }

  /** Reads bytes into a buffer, and returns the part of it that is filled. */
  readInto(off: number, buffer: Uint8Array): Uint8Array {
    let filled = 0;
    while (filled < buffer.length) {
      const count = this.#readAt(off + filled, buffer.subarray(filled));
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }

  #readAt(at: number, buffer: Uint8Array): number {
    try {
      this.#file.seekSync(at, SeekMode.Start);
      return this.#file.readSync(buffer) ?? 0;
    } catch (error) {
      throw toSessionError(error, "read log", this.#path);
    }
  }

  #wholeLines(size: number): number {
    // Nearly every log ends with a line; a torn line may be long.
    if (size === 0 || this.read(size - 1, 1)[0] === LF) return size;
    const buffer = new Uint8Array(Math.min(CHUNK_BYTES, size));
    for (let end = size; end > 0;) {
      const start = Math.max(0, end - buffer.length);
      const count = this.#readAt(start, buffer.subarray(0, end - start));
      const at = buffer.subarray(0, count).lastIndexOf(LF);
      if (at >= 0) return start + at + 1;
      end = start;
    }
    return 0;
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}
