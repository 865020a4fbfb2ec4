/** Restores a session from its backup, to its old path or another. Changes no existing file. */
import { draftPath } from "../../core/file/draft_file.ts";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import { dirname, resolve } from "node:path";
import { crc32 } from "node:zlib";
import { SessionError } from "../../core/event/session_error.ts";
import { isThere } from "../../core/file/presence.ts";
import {
  copyPath,
  type KeptFile,
  type KeptGeneration,
  type KeptManifest,
  packedCopy,
} from "../../library/machine/kept/manifest.ts";
import { descriptorOf } from "../../library/machine/registry.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { openOwnFile } from "../../core/log/own_file.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import { chmodSync, linkSync, openSync, utimeSync } from "../../core/platform/files.ts";
import { operatingSystem } from "../../core/platform/runtime.ts";
import { isAlreadyExists } from "../../core/platform/system_error.ts";
import { makeDirectories } from "../../core/store/create_log.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { agentFolders, isBelow } from "../../agents/contract/agent_roots.ts";
import { findBackup } from "./list_backups.ts";
import { piecesOf } from "./source_file.ts";
import { unpackCopy } from "./unpack_copy.ts";

/** Settings of a restore: generation, path, dry run, and the folders that may be written. */
export interface RestoreOptions {
  /** The number of the generation to restore. @default {the last generation with content} */
  generation?: number;
  /**
   * Absolute path to restore to: a file, or a folder for a session with several files.
   * @default {the session's original path}
   */
  out?: string;
  /** True to report what would be restored, without writing anything. @default {false} */
  dry?: boolean;
  /**
   * The machine whose agents' folders limit where files may be written. Not used with `out`.
   * @default {files may be made everywhere}
   */
  environment?: AgentEnvironment;
}

/** A session that was restored from its backup. */
export interface RestoredBackup {
  /** Reference of the session, as `<agent>:<id>`. */
  ref: string;
  /** The number of the restored generation. */
  generation: number;
  /** Absolute path of the session's main file. */
  path: string;
  /** Absolute paths of all restored files, with the session's main file first. */
  files: string[];
  /** Absolute paths of the session's other files that already existed. They were not changed. */
  left: string[];
  /** Total size of the restored files, in bytes. */
  bytes: number;
  /** True if nothing was written, because `dry` was requested; absent otherwise. */
  dry?: true;
}

interface Placing {
  file: KeptFile;
  copy: string;
  path: string;
}

/**
 * Restores a session's files from its backup, with their modes and times. Each file appears only
 * once it is complete.
 *
 * @param root The data root.
 * @param ref The session's reference.
 * @param options The generation to restore, and the path to restore to.
 * @throws {SessionError} `not-found` if there is no such backup or generation; `io` if a file
 * exists at the path; `unsafe-store` if the path is outside of the agent's folders; `damaged` if a
 * copy does not match its checksum; `ambiguous`, `permission`, `disk-full`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { restoreSession } from "@reprise/reprise/backup";
 *
 * await assert.rejects(restoreSession("/no/such/store", "claude:3f2a"), { code: "not-found" });
 * ```
 */
export async function restoreSession(
  root: string,
  ref: string,
  { generation: wanted, out, dry = false, environment }: RestoreOptions = {},
): Promise<RestoredBackup> {
  const { backup, manifest } = findBackup(root, ref);
  const generation = chosenGeneration(manifest.generations, wanted, backup.ref);
  const placings = placingsOf(backup.folder, generation, out);
  const [own] = placings;
  if (own === undefined) throw emptyBackup(backup.ref);
  if (out === undefined && environment !== undefined) {
    assertWithin(placings, agentFolders(descriptorOf(backup.agent), environment));
  }
  if (isThere(out === undefined ? own.path : resolve(out))) {
    throw standing(out === undefined ? own.path : out);
  }
  const left = placings.filter(({ path }) => isThere(path)).map(({ path }) => path);
  const made = placings.filter(({ path }) => !left.includes(path));
  const told = {
    ...{ ref: backup.ref, generation: generation.number, path: own.path, left },
    files: made.map(({ path }) => path),
    bytes: made.reduce((sum, { file }) => sum + file.bytes, 0),
  };
  if (dry) return { ...told, dry };
  // The session's own file comes last, so that an agent that finds it also finds the other files.
  for (const placing of made.toReversed()) await place(placing, backup.folder, manifest);
  return told;
}

function chosenGeneration(
  generations: readonly KeptGeneration[],
  wanted: number | undefined,
  ref: string,
): KeptGeneration {
  const holding = generations.findLast(({ files }) => (files[0]?.bytes ?? 0) > 0);
  const found = wanted === undefined ? holding : generations.find((one) => one.number === wanted);
  if (found !== undefined) return found;
  if (wanted === undefined) throw emptyBackup(ref);
  const numbers = generations.map(({ number }) => number).join(", ");
  const message =
    `Cannot find generation ${wanted} (backup version) of ${ref}: the backup has the ` +
    `generations ${numbers}; see: reprise backup list`;
  throw new SessionError("not-found", message, { ref });
}

function emptyBackup(ref: string): SessionError {
  return new SessionError("not-found", `Cannot restore ${ref}: the session has no backup`, { ref });
}

function placingsOf(
  folder: string,
  generation: KeptGeneration,
  out: string | undefined,
): Placing[] {
  const { files } = generation;
  const several = files.length > 1;
  return files.map((file) => ({
    file,
    copy: copyPath(folder, generation, file),
    path: out === undefined ? file.path : several ? resolve(out, file.name) : resolve(out),
  }));
}

/** Throws if a path is outside of the folders, because a changed manifest may name any path. */
function assertWithin(placings: readonly Placing[], folders: readonly string[]): void {
  const outside = placings.find(({ path }) =>
    resolve(path) !== path || !folders.some((folder) => isBelow(path, folder))
  );
  if (outside === undefined) return;
  const { path } = outside;
  const message = "Cannot restore session: the backup names a file outside of the folders of its " +
    `agent: ${path}\nTo restore to another path: --out PATH`;
  throw new SessionError("unsafe-store", message, { path });
}

function standing(path: string): SessionError {
  const message =
    `Cannot restore session: a file exists there, and was not overwritten: ${path}\n` +
    "To restore to another path: --out PATH";
  return new SessionError("io", message, { path });
}

/** Writes a file under a temporary name in its folder. Renames it only if no file has its name. */
async function place(
  { file, copy, path }: Placing,
  folder: string,
  manifest: KeptManifest,
): Promise<void> {
  const made = draftPath(path);
  try {
    makeDirectories(dirname(path));
    const packed = packedCopy(manifest, file.copy);
    if (packed === undefined || isThere(copy)) writeCopy(copy, made, file);
    else await unpackTo(made, file, folder, manifest);
    if (operatingSystem !== "windows") chmodSync(made, file.mode & 0o777);
    utimeSync(made, new Date(file.mtime), new Date(file.mtime));
    linkSync(made, path);
  } catch (error) {
    if (isAlreadyExists(error)) throw standing(path);
    throw toSessionError(error, "restore session", path);
  } finally {
    removeQuietly(made);
  }
}

/** Decompresses a copy, then writes the restored generation, a prefix of the copy's bytes. */
async function unpackTo(
  made: string,
  file: KeptFile,
  folder: string,
  manifest: KeptManifest,
): Promise<void> {
  const unpacked = `${made}.unpacked`;
  try {
    await unpackCopy(folder, manifest, file.copy, unpacked);
    writeCopy(unpacked, made, file);
  } finally {
    removeQuietly(unpacked);
  }
}

function writeCopy(copy: string, made: string, { bytes, crc }: KeptFile): void {
  using source = openOwnFile(copy, { read: true });
  using target = openSync(made, { write: true, createNew: true, mode: 0o600 });
  let [found, written] = [0, 0];
  for (const piece of piecesOf(source, 0, bytes)) {
    writeWhole(target, piece);
    found = crc32(piece, found);
    written += piece.length;
  }
  if (found !== crc || written !== bytes) {
    const message = `Cannot restore session: the copy differs from the backup: ${copy}`;
    throw new SessionError("damaged", message, { path: copy });
  }
  target.syncSync();
}
