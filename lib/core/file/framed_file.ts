/**
 * Reads a file that exists only in packed form: `<name>.packed.zst`, zstd frames of equal plain
 * length. A read unpacks one frame in memory, and writes no file. The file ends with the table of
 * zstd's seekable format, so `zstd -d` reads it, too.
 */
import * as zlib from "node:zlib";
import { SessionError } from "../event/session_error.ts";
import { type FileInfo, type OpenFile, type SeekFrom, SeekMode } from "../platform/file_system.ts";

export const PACKED_SUFFIX = ".packed.zst";

/** Bytes of a frame before packing. The last frame may have fewer. */
export const FRAME_BYTES = 1024 * 1024;

const TABLE_MAGIC = 0x184d2a5e;
const FOOTER_MAGIC = 0x8f92eab1;
/** Bytes of the table's header: a magic number, and the number of bytes after the header. */
const HEADER_BYTES = 8;
/** Bytes of a table's entry: a frame's packed size and its plain size. */
const ENTRY_BYTES = 8;
/** Bytes of the table's footer: the number of frames, a byte of flags, and a magic number. */
const FOOTER_BYTES = 9;

export function frameTable(
  frames: readonly (readonly [packed: number, plain: number])[],
): Uint8Array {
  const length = HEADER_BYTES + ENTRY_BYTES * frames.length + FOOTER_BYTES;
  const view = new DataView(new ArrayBuffer(length));
  const numbers = [TABLE_MAGIC, length - HEADER_BYTES, ...frames.flat(), frames.length];
  numbers.forEach((number, index) => view.setUint32(4 * index, number, true));
  view.setUint32(length - 4, FOOTER_MAGIC, true);
  return new Uint8Array(view.buffer);
}

/** False under a runtime whose zlib has no zstd: Node before 22.15. */
export const hasZstd: boolean = typeof zlib.zstdDecompressSync === "function";

export function assertZstd(path: string): void {
  if (hasZstd) return;
  const message =
    `Cannot decompress file: this runtime has no zstd; use Node 22.15 or later: ${path}`;
  throw new SessionError("unsupported-version", message, { path });
}

export class FramedFile implements OpenFile {
  readonly #file: OpenFile;
  readonly #path: string;
  readonly #info: FileInfo;
  /** Offsets in the packed file at which the frames end. */
  readonly #ends: readonly number[];
  #at = 0;
  #index = -1;
  #frame: Uint8Array = new Uint8Array();

  private constructor(file: OpenFile, path: string, size: number, ends: readonly number[]) {
    this.#file = file;
    this.#path = path;
    this.#info = { ...file.statSync(), size };
    this.#ends = ends;
  }

  /** Returns a packed file's unpacked view, or undefined if the file has no valid frame table. */
  static of(file: OpenFile, path: string): FramedFile | undefined {
    const { size } = file.statSync();
    const footer = numbersAt(file, size - FOOTER_BYTES, FOOTER_BYTES);
    if (footer?.getUint32(FOOTER_BYTES - 4, true) !== FOOTER_MAGIC) return undefined;
    const count = footer.getUint32(0, true);
    const start = size - FOOTER_BYTES - ENTRY_BYTES * count;
    const table = numbersAt(file, start, ENTRY_BYTES * count);
    if (table === undefined) return undefined;
    const ends: number[] = [];
    let [end, plain] = [0, 0];
    for (let index = 0; index < count; index++) {
      // Each is of one length, so that a place tells its frame.
      if (plain !== index * FRAME_BYTES) return undefined;
      end += table.getUint32(ENTRY_BYTES * index, true);
      plain += table.getUint32(ENTRY_BYTES * index + 4, true);
      ends.push(end);
    }
    return new FramedFile(file, path, plain, ends);
  }

  readSync(bytes: Uint8Array): number | null {
    if (this.#at >= this.#info.size) return null;
    const from = this.#at % FRAME_BYTES;
    const frame = this.#unpack(Math.floor(this.#at / FRAME_BYTES));
    const part = frame.subarray(from, from + bytes.length);
    bytes.set(part);
    this.#at += part.length;
    return part.length;
  }

  #unpack(index: number): Uint8Array {
    if (index === this.#index) return this.#frame;
    assertZstd(this.#path);
    const from = this.#ends[index - 1] ?? 0;
    const packed = bytesAt(this.#file, from, (this.#ends[index] ?? from) - from);
    const length = Math.min(FRAME_BYTES, this.#info.size - index * FRAME_BYTES);
    const plain = packed && unpackFrame(packed, length);
    if (plain === undefined) throw damagedFile(this.#path);
    [this.#frame, this.#index] = [plain, index];
    return plain;
  }

  seekSync(offset: number, whence: SeekFrom): number {
    const { Start, Current } = SeekMode;
    const from = whence === Start ? 0 : whence === Current ? this.#at : this.#info.size;
    return this.#at = from + offset;
  }

  async read(bytes: Uint8Array): Promise<number | null> {
    return await Promise.resolve(this.readSync(bytes));
  }

  statSync(): FileInfo {
    return this.#info;
  }

  stat(): Promise<FileInfo> {
    return Promise.resolve(this.#info);
  }

  close(): void {
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  readonly writeSync = refuse;
  readonly truncateSync = refuse;
  readonly syncData = refuse;
  readonly syncDataSync = refuse;
  readonly sync = refuse;
  readonly syncSync = refuse;
  readonly tryLockSync = refuse;
  readonly tryLock = refuse;
  readonly unlockSync = refuse;
}

function refuse(): never {
  throw new TypeError("Cannot write to a compressed file: it can only be read");
}

export function damagedFile(path: string, cause?: unknown): SessionError {
  const message = `Cannot decompress file: its compressed content is damaged: ${path}`;
  return new SessionError("damaged", message, { path }, cause);
}

function unpackFrame(packed: Uint8Array, length: number): Uint8Array | undefined {
  try {
    const plain = zlib.zstdDecompressSync(packed, { maxOutputLength: length });
    return plain.length === length ? plain : undefined;
  } catch {
    // An error of zlib, which has no type of its own.
    return undefined;
  }
}

function numbersAt(file: OpenFile, offset: number, length: number): DataView | undefined {
  const bytes = bytesAt(file, offset, length);
  return bytes && new DataView(bytes.buffer);
}

function bytesAt(
  file: OpenFile,
  offset: number,
  length: number,
): Uint8Array<ArrayBuffer> | undefined {
  if (offset < 0 || offset + length > file.statSync().size) return undefined;
  const bytes = new Uint8Array(length);
  file.seekSync(offset, SeekMode.Start);
  for (let filled = 0; filled < length;) {
    const count = file.readSync(bytes.subarray(filled));
    if (count === null) return undefined;
    filled += count;
  }
  return bytes;
}
