/** Reads the bytes that a file gained since it was last sent, as records. */
import { crc32 } from "node:zlib";
import { joinBytes } from "../../../core/event/bytes.ts";
import { readAt } from "../../../core/log/read_whole.ts";
import { openOrMakeOwnFile } from "../../../core/log/own_file.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import type { OpenFile } from "../../../core/platform/file_system.ts";
import { SeekMode } from "../../../core/platform/file_system.ts";
import { type DirectoryMove, movingSink } from "../bundle/moved_records.ts";
import { evidenceFor, type Growth, growthOf } from "../growth_rule.ts";
import {
  checksumOf,
  lookAtSource,
  markBefore,
  openSource,
  piecesOf,
  type SeenSource,
} from "../source_file.ts";
import { contentPath, type OwnFile } from "./own_streams.ts";
import { PACK_BYTES, type RecordHead } from "./stream_record.ts";

export interface StreamPart extends Pick<RecordHead, "generation" | "at" | "common"> {
  bytes: Uint8Array;
  /** The file's state after these bytes are sent to the sync place. */
  file: OwnFile;
}

/** Milliseconds after a change in which a shorter file may be in the middle of a rewrite. */
const SETTLED_MS = 500;
const LF = 0x0a;

/** Returns the change of a file since it was last sent; undefined if the file is missing. */
export function changeOf(file: OwnFile): { growth: Growth; source: SeenSource } | undefined {
  const source = lookAtSource(file.path);
  if (source === undefined) return undefined;
  const evidence = evidenceFor(file, source);
  if (evidence === "none") return { growth: growthOf(file, source, evidence, undefined), source };
  const { file: opened } = openSource(file.path);
  using _closed = opened;
  const found = evidence === "mark"
    ? markBefore(opened, file.bytes)
    : checksumOf(opened, 0, file.bytes);
  return { growth: growthOf(file, source, evidence, found), source };
}

/** Yields the parts to send. A part that was yielded counts as sent. */
export function* growthParts(given: OwnFile, move?: DirectoryMove): Generator<StreamPart> {
  let file = given;
  if (given.again) {
    for (const part of againParts(given)) {
      yield part;
      file = part.file;
    }
  }
  const { growth, source } = changeOf(file) ?? {};
  if (growth === undefined || source === undefined) return;
  if (growth === "same") return yield* commonPart(file, source);
  if (growth === "shrank" && Date.now() - source.mtime < SETTLED_MS) return;
  const { file: opened } = openSource(file.path);
  using _closed = opened;
  const from = growth === "grown" ? file : anew(file);
  const mapped = move !== undefined && /\.jsonl?$/.test(file.path);
  yield* mapped ? mappedParts(opened, from, source, move) : plainParts(opened, from, source);
}

/** Yields the bytes that were sent before, because the sync place lost them. */
function* againParts({ again, ...file }: OwnFile): Generator<StreamPart> {
  const { file: opened } = openSource(contentPath(file));
  using _closed = opened;
  const { generation, sent } = file;
  for (let at = 0; at < sent; at += PACK_BYTES) {
    const bytes = readAt(opened, at, new Uint8Array(Math.min(PACK_BYTES, sent - at)));
    const is_last = at + PACK_BYTES >= sent;
    yield { generation, at, bytes, file: is_last ? file : { ...file, again: again ?? true } };
  }
}

function anew({ common: _, waits: __, ...file }: OwnFile): OwnFile {
  return { ...file, generation: file.generation + 1, bytes: 0, sent: 0, crc: 0, mark: 0 };
}

/** Yields a record which says that this machine has the bytes that another machine sent. */
function* commonPart(file: OwnFile, source: SeenSource): Generator<StreamPart> {
  const { common, waits, ...sent } = seen(file, source);
  if (common === undefined || waits) return;
  const { generation } = file;
  yield { generation, at: file.sent, common, bytes: new Uint8Array(), file: sent };
}

function seen(file: OwnFile, { mtime, ctime, ino }: SeenSource): OwnFile {
  return { ...file, mtime, ctime, ino, seen: Date.now() };
}

function* plainParts(opened: OpenFile, from: OwnFile, source: SeenSource): Generator<StreamPart> {
  let { common, waits: _, ...file } = seen(from, source);
  const end = endOf(opened, file, source.size);
  while (file.bytes < end) {
    const length = Math.min(PACK_BYTES, end - file.bytes);
    const bytes = readAt(opened, file.bytes, new Uint8Array(length));
    if (bytes.length === 0) return;
    const at = file.sent;
    file = grown(file, opened, bytes, bytes.length);
    yield { generation: file.generation, at, bytes, file, ...common && { common } };
    common = undefined;
  }
}

/**
 * Yields new lines, with paths changed to the directory on the machine that began the session.
 * Appends the lines to the shadow file, this machine's copy of all sent bytes.
 */
function* mappedParts(
  opened: OpenFile,
  from: OwnFile,
  source: SeenSource,
  { old, here }: DirectoryMove,
): Generator<StreamPart> {
  const { common, waits: _, ...file } = seen(from, source);
  const end = endOf(opened, file, source.size);
  const pieces: Uint8Array[] = [];
  const sink = movingSink({ write: (piece) => pieces.push(piece.slice()) }, {
    old: here,
    here: old,
  });
  let [crc, read] = [file.crc, 0];
  for (const piece of piecesOf(opened, file.bytes, end)) {
    crc = crc32(piece, crc);
    read += piece.length;
    sink.write(piece);
  }
  sink.end?.();
  if (read === 0) return;
  const bytes = joinBytes(pieces);
  if (file.shadow !== undefined) writeShadow(file.shadow, file.sent, bytes);
  const sent = file.sent + bytes.length;
  const length = file.bytes + read;
  const next = { ...file, sent, bytes: length, crc, mark: markBefore(opened, length) ?? 0 };
  for (let at = 0; at < bytes.length; at += PACK_BYTES) {
    const part = bytes.subarray(at, at + PACK_BYTES);
    const is_last = at + PACK_BYTES >= bytes.length;
    const first = at === 0 && common !== undefined ? { common } : {};
    const { generation } = file;
    yield { generation, at: file.sent + at, bytes: part, file: is_last ? next : from, ...first };
  }
}

/** Writes bytes to a shadow file (local copy of what was sent), and cuts off what follows them. */
export function writeShadow(path: string, at: number, bytes: Uint8Array): void {
  using target = openOrMakeOwnFile(path, { read: true, write: true });
  target.seekSync(at, SeekMode.Start);
  writeWhole(target, bytes);
  target.truncateSync(at + bytes.length);
}

export function grown(file: OwnFile, opened: OpenFile, bytes: Uint8Array, sent: number): OwnFile {
  const length = file.bytes + bytes.length;
  const mark = markBefore(opened, length) ?? 0;
  return { ...file, bytes: length, sent: file.sent + sent, crc: crc32(bytes, file.crc), mark };
}

/** Returns the offset up to which bytes are sent. Of a JSONL file, only whole lines are sent. */
function endOf(opened: OpenFile, { path, bytes }: OwnFile, size: number): number {
  if (!path.endsWith(".jsonl")) return size;
  const block = new Uint8Array(Math.min(64 * 1024, Math.max(0, size - bytes)));
  for (let to = size; to > bytes;) {
    const from = Math.max(bytes, to - block.length);
    const at = readAt(opened, from, block.subarray(0, to - from)).lastIndexOf(LF);
    if (at >= 0) return from + at + 1;
    to = from;
  }
  return bytes;
}
