/**
 * Compresses earlier generations, each as its difference to the next generation. Compresses the log
 * of a deleted session, too. A copy stays until its compressed form is on the disk, was read back,
 * and is in the manifest.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { hasZstd, PACKED_SUFFIX } from "../../core/file/framed_file.ts";
import { isThere } from "../../core/file/presence.ts";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import {
  type KeptFile,
  type KeptManifest,
  LATEST,
  latestOf,
  mainFile,
  type PackedCopy,
  packedCopy,
  readKeptManifest,
  shownGeneration,
} from "../../library/machine/kept/manifest.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { openOwnFile } from "../../core/log/own_file.ts";
import type { OpenFile } from "../../core/platform/file_system.ts";
import { removeSync, renameSync, utimeSync } from "../../core/platform/files.ts";
import { type CopyDifference, differenceOf } from "./copy_difference.ts";
import { syncCopy } from "./copy_file.ts";
import { writeManifest } from "./kept_folder.ts";
import { differencePieces, readPacked } from "./packed_file.ts";
import { plainCopy } from "./unpack_copy.ts";
import { BACKUP_WINDOW_LOG, heldPieces, writeFrames, writeZstd } from "./zstd_file.ts";

/** Minimum bytes of a copy to compress. A shorter copy would save hardly any disk space. */
const LEAST_BYTES = 16 * 1024;
/** Number of generations of which one is compressed whole, so that a restore reads few copies. */
const WHOLE_EVERY = 16;
/** Divisor of a copy's size. The quotient is the minimum number of bytes shared with its base. */
const LEAST_SHARED = 8;

/** Returns the files that can be compressed but are not, one for each copy. */
export function packableFiles(manifest: KeptManifest): KeptFile[] {
  if (!hasZstd) return [];
  const shown = new Set(shownGeneration(manifest).files.map(({ copy }) => copy));
  const longest = new Map<string, KeptFile>();
  for (const { files } of manifest.generations) {
    for (const file of files) {
      const { copy, bytes } = file;
      if (copy.startsWith(`${LATEST}/`) || shown.has(copy) || bytes < LEAST_BYTES) continue;
      if (packedCopy(manifest, copy) !== undefined) continue;
      if (bytes > (longest.get(copy)?.bytes ?? 0)) longest.set(copy, file);
    }
  }
  // The deleted session's log comes last, because other copies may be differences to it.
  return [...longest.values(), ...deletedFile(manifest)];
}

/**
 * Returns the copy of a session's log if the original log was deleted. Empty if the copy is
 * compressed already, or is short.
 */
function deletedFile(manifest: KeptManifest): KeptFile[] {
  const file = shownFile(manifest);
  const { path } = mainFile(latestOf(manifest));
  const is_packable = file.copy.endsWith(".jsonl") && file.bytes >= LEAST_BYTES &&
    packedCopy(manifest, file.copy) === undefined && !isThere(path);
  return is_packable ? [file] : [];
}

function shownFile(manifest: KeptManifest): KeptFile {
  return mainFile(shownGeneration(manifest));
}

/**
 * Compresses all copies of a session that can be compressed. Nothing else may change the session's
 * folder meanwhile.
 *
 * @param folder The session's folder.
 * @returns The new manifest; undefined if nothing changed.
 * @throws {SessionError} `permission`, `disk-full`, `io`; the copies are then as they were.
 */
export async function packGenerations(
  folder: string,
  signal?: AbortSignal,
): Promise<KeptManifest | undefined> {
  const manifest = readKeptManifest(folder);
  if (manifest === undefined) return undefined;
  let changed = false;
  try {
    for (const file of packableFiles(manifest)) {
      signal?.throwIfAborted();
      const packed = await packCopy(folder, manifest, file, signal);
      if (packed === undefined) continue;
      manifest.packed = [...manifest.packed ?? [], packed];
      await writeManifest(folder, manifest, true);
      changed = true;
    }
    for (const path of leftCopies(folder, manifest)) removeSync(path);
  } catch (error) {
    if (signal?.aborted) return changed ? manifest : undefined;
    throw toSessionError(error, "pack backup", folder);
  }
  return changed ? manifest : undefined;
}

export function needsPacking(folder: string, manifest: KeptManifest): boolean {
  return packableFiles(manifest).length > 0 || leftCopies(folder, manifest).length > 0;
}

/** Returns the plain copies that a killed process left beside their compressed forms. */
function leftCopies(folder: string, { packed = [] }: KeptManifest): string[] {
  return packed.map(({ copy }) => join(folder, copy)).filter(isThere);
}

/** Writes the compressed form of a copy; undefined if the copy is missing or damaged. */
async function packCopy(
  folder: string,
  manifest: KeptManifest,
  { copy, bytes, crc }: KeptFile,
  signal: AbortSignal | undefined,
): Promise<PackedCopy | undefined> {
  const path = join(folder, copy);
  // A killed process had compressed the copy, or somebody deleted it.
  if (!isThere(path)) return undefined;
  using file = openOwnFile(path, { read: true });
  const sums = await sumsOf(heldPieces(file, 0, bytes, signal));
  if (sums.crc !== crc) return undefined;
  const base = await baseOf(folder, manifest, { copy, file, bytes, signal });
  const packed = `${copy}${PACKED_SUFFIX}`;
  const made = join(folder, `${packed}.tmp`);
  removeQuietly(made);
  try {
    const pieces = base === undefined
      ? heldPieces(file, 0, bytes, signal)
      : differencePieces(file, base.difference, signal);
    // The log that lists show is read in place, from any offset.
    const packed_bytes = copy === shownFile(manifest).copy
      ? await writeFrames(made, file, bytes, signal)
      : await writeZstd(made, pieces, { window_log: BACKUP_WINDOW_LOG });
    // Read back from the disk, with nothing that is in memory.
    if (await readPacked(made, base?.path) !== sums.sha256) throw unfaithful(path);
    const { mtime } = file.statSync();
    if (mtime !== null) utimeSync(made, mtime, mtime);
    renameSync(made, join(folder, packed));
    return present({ copy, packed, packed_bytes, sha256: sums.sha256, base: base?.copy });
  } finally {
    removeQuietly(made);
  }
}

async function sumsOf(
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ crc: number; sha256: string }> {
  const hash = createHash("sha256");
  let crc = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    crc = crc32(piece, crc);
  }
  return { crc, sha256: hash.digest("hex") };
}

/** A later copy. An earlier copy that shares many bytes is stored as a difference from it. */
interface Base {
  copy: string;
  path: string;
  difference: CopyDifference;
}

interface OpenCopy {
  copy: string;
  file: OpenFile;
  bytes: number;
  signal: AbortSignal | undefined;
}

/** Returns the base for storing a copy as a difference. Undefined to store the copy whole. */
async function baseOf(
  folder: string,
  manifest: KeptManifest,
  { copy, file, bytes, signal }: OpenCopy,
): Promise<Base | undefined> {
  if (parseInt(copy) % WHOLE_EVERY === 0) return undefined;
  const next = nextVersion(manifest, copy);
  if (next === undefined || next.bytes === 0) return undefined;
  const path = plainCopy(folder, manifest, next.copy);
  if (path === undefined) return undefined;
  // The later copy is needed from now on, so a power cut must not lose it.
  await syncCopy(path);
  using opened = openOwnFile(path, { read: true });
  const difference = await differenceOf(
    heldPieces(file, 0, bytes, signal),
    heldPieces(opened, 0, next.bytes, signal),
  );
  if (difference.shared_bytes * LEAST_SHARED < bytes) return undefined;
  return { copy: next.copy, path, difference };
}

/** Returns a copy's next version. Undefined if the next version is a file that may be replaced. */
function nextVersion({ generations }: KeptManifest, copy: string): KeptFile | undefined {
  const last = generations.findLastIndex(({ files }) => files.some((one) => one.copy === copy));
  const name = generations[last]?.files.find((one) => one.copy === copy)?.name;
  const next = generations[last + 1];
  const file = next?.files.find((one) => one.name === name);
  if (next === undefined || file === undefined) return undefined;
  return file === mainFile(next) || file.name.endsWith(".jsonl") ? file : undefined;
}

function unfaithful(path: string): SessionError {
  const message = `Cannot compress backup: the compressed copy differs from the original: ${path}`;
  return new SessionError("damaged", message, { path });
}
