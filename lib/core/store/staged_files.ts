/**
 * Replaces several files together, even across a kill of the process. All drafts are written first.
 * A journal then lists them, and each draft replaces its file. After a kill, the next run finishes
 * the changes that the journal lists.
 */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { fields, list, number, optional, parsedAs, text } from "../event/guard.ts";
import { SessionError } from "../event/session_error.ts";
import { sha256 } from "../event/sha256.ts";
import { toSessionError } from "../log/io_error.ts";
import { writeWhole } from "../log/write_whole.ts";
import type { FileInfo } from "../platform/file_system.ts";
import { chmodSync, lstatSync, openSync, renameSync, utimeSync } from "../platform/files.ts";
import { operatingSystem } from "../platform/runtime.ts";
import { syncDirectories } from "./sync_directories.ts";
import { isThere } from "../file/presence.ts";
import { removeQuietly } from "../file/remove_quietly.ts";
import { RECORDS_BYTES, shortTextIn } from "../file/short_file.ts";

export interface StagedFile {
  path: string;
  /** The file's state when it was read, `mtime` in milliseconds. Absent for a new file. */
  was?: { bytes: number; mtime: number };
  /** Path of the written draft. Absent if the file is to be removed. */
  draft?: string;
  sha256?: string;
}

export type FileDress = Pick<FileInfo, "mode" | "mtime">;

const GUARD = fields({
  files: list(fields({
    path: text,
    draft: optional(text),
    was: optional(fields({ bytes: number, mtime: number })),
  })),
});
const LONGEST_NAME = 60;

/** Returns the same path for a file every time, so that a later run replaces a leftover draft. */
export function stagedPath(path: string): string {
  const digest = sha256(new TextEncoder().encode(path)).slice(0, 8);
  return join(
    dirname(path),
    `.${basename(path).slice(0, LONGEST_NAME)}-${digest}.reprise-scrub.tmp`,
  );
}

export function stateOf({ size, mtime }: FileInfo): NonNullable<StagedFile["was"]> {
  return { bytes: size, mtime: mtime?.getTime() ?? 0 };
}

/**
 * @param info The file as it was read; absent for a new one.
 * @throws {SessionError} `permission` if the file belongs to another user; `disk-full`, `io`
 */
export function stageFile(
  path: string,
  bytes: Uint8Array,
  dress: FileDress,
  info?: FileInfo,
): StagedFile {
  const draft = stagedPath(path);
  removeQuietly(draft);
  try {
    {
      using file = openSync(draft, { write: true, createNew: true, mode: 0o600 });
      writeWhole(file, bytes);
      file.syncSync();
    }
    const { mode, mtime } = dress;
    if (info !== undefined && info.uid !== null && lstatSync(draft).uid !== info.uid) {
      const message = `Cannot replace file: it belongs to another user: ${path}`;
      throw new SessionError("permission", message, { path });
    }
    if (mode !== null && operatingSystem !== "windows") chmodSync(draft, mode & 0o7777);
    if (mtime !== null) utimeSync(draft, mtime, mtime);
  } catch (error) {
    removeQuietly(draft);
    throw toSessionError(error, "write file", path);
  }
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { path, draft, sha256: hash, ...(info === undefined ? {} : { was: stateOf(info) }) };
}

export function dropStaged(files: readonly StagedFile[]): void {
  for (const { draft } of files) if (draft !== undefined) removeQuietly(draft);
}

/**
 * Writes a journal of staged files, and then replaces each file in the given order.
 *
 * @returns Paths of files that another program has changed. These files stay as they are.
 * @throws {SessionError} `permission`, `disk-full`, `io`. The journal then stays on disk.
 */
export async function placeStaged(
  journal: string,
  files: readonly StagedFile[],
): Promise<string[]> {
  const draft = stagedPath(journal);
  removeQuietly(draft);
  try {
    {
      using file = openSync(draft, { write: true, createNew: true, mode: 0o600 });
      writeWhole(file, new TextEncoder().encode(`${JSON.stringify({ files })}\n`));
      file.syncSync();
    }
    renameSync(draft, journal);
    await syncDirectories([dirname(journal)]);
  } catch (error) {
    removeQuietly(draft);
    throw toSessionError(error, "write journal", journal);
  }
  return await finishStaged(journal) ?? [];
}

/**
 * Finishes the changes that a journal lists, for example after a kill.
 *
 * @returns Paths of files that another program has changed, or undefined if there is no journal.
 * @throws {SessionError} `permission`, `io`
 */
export async function finishStaged(journal: string): Promise<string[] | undefined> {
  const json = shortTextIn(journal, RECORDS_BYTES, { follow: false });
  if (json === undefined) return undefined;
  const { files = [] } = parsedAs<{ files: StagedFile[] }>(json, GUARD) ?? {};
  const changed: string[] = [];
  for (const file of files) {
    try {
      if (!place(file)) changed.push(file.path);
    } catch (error) {
      throw toSessionError(error, "replace file", file.path);
    }
  }
  await syncDirectories([...new Set(files.map(({ path }) => dirname(path)))].filter(isThere));
  removeQuietly(journal);
  await syncDirectories([dirname(journal)]);
  return changed;
}

/** Returns false if another program has changed the file. The file then stays as it is. */
function place({ path, draft, was }: StagedFile): boolean {
  // It was placed before the kill.
  if (draft !== undefined && !isThere(draft)) return true;
  if (!isThere(path)) {
    // Removed already, or deleted by its agent: it must not come back.
    if (draft !== undefined && was !== undefined) removeQuietly(draft);
    else if (draft !== undefined) renameSync(draft, path);
    return true;
  }
  const now = stateOf(lstatSync(path));
  const same = now.bytes === was?.bytes && now.mtime === was.mtime;
  if (!same) {
    if (draft !== undefined) removeQuietly(draft);
    return false;
  }
  if (draft === undefined) removeQuietly(path);
  else renameSync(draft, path);
  return true;
}
