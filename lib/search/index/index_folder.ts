/**
 * The folder of the index, and the list of its current files. A file is written once, and the list
 * names it by its checksum. A new list replaces the old one, so readers see whole changes and need
 * no lock.
 */
import { removeQuietly } from "../../file/remove_quietly.ts";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { openRegularFile } from "../../file/regular_file.ts";
import { readShortText, RECORDS_BYTES } from "../../file/short_file.ts";
import { toSessionError } from "../../log/io_error.ts";
import { makeCacheFolder } from "../../library/cache/own_cache.ts";
import { tryLockFile } from "../../log/lock_file.ts";
import {
  lstatSync,
  openSync,
  readDirSync,
  renameSync,
  writeTextFileSync,
} from "../../platform/files.ts";
import { notFound } from "../../platform/system_error.ts";
import { makeOwnFolder } from "../../session/store_safety.ts";

/** One file of the index. */
export interface SegmentFile {
  /** Name in the folder. */
  file: string;
  bytes: number;
  crc: number;
}

/** The list of current files, in the order of writing. */
interface IndexList {
  version: number;
  segments: SegmentFile[];
}

/** The version of the format; indexes of other versions are ignored. */
const INDEX_VERSION = 8;

/** Files in the cache never follow links. */
const OWN = { follow: false, what: "index" };

const LIST = "search.json";
const LOCK = "lock";
const SEGMENT = /^search-[0-9a-f]{8}-\d+\.sqlite$/;
const UNFINISHED = /^(?:build|list)-.*$/;

/** Returns the path of the index in a cache folder. */
export function indexDirectory(cache: string): string {
  return join(cache, "index");
}

/** Makes the folder of the index if it is missing. */
export function makeIndexDirectory(directory: string): void {
  try {
    makeCacheFolder(dirname(directory));
    makeOwnFolder(directory);
  } catch (error) {
    throw toSessionError(error, "make index", directory);
  }
}

/** Reads the list of a folder; undefined without a valid one. */
export function readIndexList(directory: string): IndexList | undefined {
  try {
    if (!lstatSync(directory).isDirectory) return undefined;
    const list = JSON.parse(readShortText(join(directory, LIST), RECORDS_BYTES, OWN)) as IndexList;
    const fits = list.version === INDEX_VERSION && Array.isArray(list.segments) &&
      list.segments.every(({ file, bytes, crc }) =>
        SEGMENT.test(file) && Number.isSafeInteger(bytes) && Number.isSafeInteger(crc)
      );
    return fits ? list : undefined;
  } catch {
    // Missing, unreadable or garbage: there is no index.
    return undefined;
  }
}

/** Replaces the list, and removes the files that it does not name. */
export function writeIndexList(directory: string, segments: SegmentFile[]): void {
  const path = join(directory, `list-${crypto.randomUUID()}`);
  try {
    const text = `${JSON.stringify({ version: INDEX_VERSION, segments })}\n`;
    writeTextFileSync(path, text, { createNew: true, mode: 0o600 });
    renameSync(path, join(directory, LIST));
  } catch (error) {
    removeQuietly(path);
    throw toSessionError(error, "write index", directory);
  }
  sweep(directory, new Set(segments.map(({ file }) => file)));
}

/** Removes outdated files, and the remains of stopped builds. */
function sweep(directory: string, needed: ReadonlySet<string>): void {
  for (const { name } of readDirSync(directory)) {
    const spent = SEGMENT.test(name) && !needed.has(name);
    if (spent || UNFINISHED.test(name)) removeQuietly(join(directory, name));
  }
}

/** Makes an empty file to build in. */
export function makeBuildFile(directory: string): string {
  const path = join(directory, `build-${crypto.randomUUID()}.sqlite`);
  try {
    openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
    return path;
  } catch (error) {
    throw toSessionError(error, "write index", path);
  }
}

/** Renames a built file, so that a list can name it. */
export function sealBuildFile(directory: string, path: string): SegmentFile {
  const sum = checksumFile(path);
  if (sum === undefined) throw toSessionError(notFound(), "write index", path);
  const file = `search-${sum.crc.toString(16).padStart(8, "0")}-${sum.bytes}.sqlite`;
  try {
    renameSync(path, join(directory, file));
  } catch (error) {
    throw toSessionError(error, "write index", path);
  }
  return { file, ...sum };
}

const BLOCK_BYTES = 1024 * 1024;

/** Returns size and CRC-32 of a file; undefined if it cannot be read. */
export function checksumFile(path: string): { bytes: number; crc: number } | undefined {
  try {
    using file = openRegularFile(path, OWN).file;
    const block = new Uint8Array(BLOCK_BYTES);
    let [bytes, crc] = [0, 0];
    for (let count = file.readSync(block); count !== null; count = file.readSync(block)) {
      bytes += count;
      crc = crc32(block.subarray(0, count), crc);
    }
    return { bytes, crc };
  } catch {
    // Gone, or unreadable on a failing disk: it does not count.
    return undefined;
  }
}

/** Locks a folder for writing; undefined while another process holds the lock. */
export function lockIndex(directory: string): Disposable | undefined {
  try {
    return tryLockFile(join(directory, LOCK));
  } catch (error) {
    throw toSessionError(error, "lock index", directory);
  }
}
