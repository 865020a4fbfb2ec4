/**
 * Reads the log of a DeepSeek Harness session: `session.jsonl`, or the same lines in zstd frames.
 * Each appended batch has its own frame (dsh-session-persistence-jsonl, its README).
 */
import { readShortFile } from "../../core/file/short_file.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { assertZstd } from "../../core/file/framed_file.ts";
import { splitChunk, splitRest, startSplit } from "../../core/log/line_splitter.ts";
import { zstdDecompressSync } from "node:zlib";
import { readEdges } from "../engine/records/file_edges.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { type RecordOptions, takeLine } from "../engine/records/jsonl_records.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import type { RecordSource } from "../engine/sources/record_source.ts";

/** Matches the name of a log, which has the number of its format from format 3 on. */
const LOG = /^session(?:\.v([1-9]\d*))?\.jsonl(?:\.zst|\.zstd)?$/;
const NO_BYTES = new Uint8Array();
const MAGIC = 0xfd2fb528;
const LARGEST_FILE = 256 * 1024 * 1024;
const LARGEST_FRAME = 512 * 1024 * 1024;

export function formatOf(name: string): number | undefined {
  const match = LOG.exec(name);
  return match === null ? undefined : Number(match[1] ?? 0);
}

export function isCompressed(path: string): boolean {
  return !path.endsWith(".jsonl");
}

export function logSource({ path }: { path: string }): RecordSource {
  return isCompressed(path)
    ? { rewritten: true, read: (options?: RecordOptions) => compressedRecords(path, options) }
    : lineSource(path);
}

/** Reads the records of a compressed log. Their offsets count decompressed bytes. */
function* compressedRecords(
  path: string,
  options: RecordOptions = {},
): Generator<readonly SourceRecord[]> {
  const split = startSplit();
  for (const text of plainFrames(readLog(path), path, options)) {
    const records: SourceRecord[] = [];
    for (const line of splitChunk(split, text)) takeLine(line, records, options);
    if (records.length > 0) yield records;
  }
  const rest = splitRest(split);
  const records: SourceRecord[] = [];
  if (rest !== undefined) takeLine(rest, records, options);
  if (records.length > 0) yield records;
}

/** Returns the first bytes of a log; of a compressed log, the content of the first frame. */
export function headBytes(path: string): Uint8Array {
  if (!isCompressed(path)) return readEdges(path, { tail_bytes: 0 }).head[0]?.bytes ?? NO_BYTES;
  return plainFrames(readLog(path), path).next().value ?? NO_BYTES;
}

function readLog(path: string): Uint8Array {
  assertZstd(path);
  try {
    return readShortFile(path, LARGEST_FILE, { what: "session" });
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

/** Yields the decompressed content of each frame. Reports a damaged frame, and reads on. */
export function* plainFrames(
  bytes: Uint8Array,
  path: string,
  { report }: Pick<RecordOptions, "report"> = {},
): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const end = frameEnd(bytes, at) ?? bytes.length;
    try {
      yield zstdDecompressSync(bytes.subarray(at, end), { maxOutputLength: LARGEST_FRAME });
    } catch (error) {
      // An error of zlib has no type of its own.
      const detail = `a compressed part (zstd frame) of ${path} cannot be decompressed: ` +
        `${(error as Error).message}`;
      const code = end === bytes.length ? "torn-tail" : "malformed-line";
      report?.({ code, offset: at, length: end - at, line: 0, detail });
    }
    at = end;
  }
}

/** Returns the offset after a zstd frame (RFC 8878, 3.1); undefined if the frame is cut off. */
function frameEnd(bytes: Uint8Array, start: number): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (start + 6 > bytes.length || view.getUint32(start, true) !== MAGIC) return undefined;
  const flags = bytes[start + 4] ?? 0;
  const is_single = (flags & 0x20) !== 0;
  const size_bytes = [is_single ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
  let at = start + 5 + (is_single ? 0 : 1) + ([0, 1, 2, 4][flags & 3] ?? 0) + size_bytes;
  for (let is_last = false; !is_last;) {
    if (at + 3 > bytes.length) return undefined;
    const header = view.getUint16(at, true) | ((bytes[at + 2] ?? 0) << 16);
    is_last = (header & 1) !== 0;
    // A block of one repeated byte has that byte alone.
    at += 3 + ((header >> 1 & 3) === 1 ? 1 : header >> 3);
  }
  at += (flags & 4) === 0 ? 0 : 4;
  return at > bytes.length ? undefined : at;
}
