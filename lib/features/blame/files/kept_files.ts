/**
 * Stores the file contents that a restore replaces: `restored/<time>-<id>/` below the data root,
 * with `manifest.json` and a file for each content. A file `undone` says that the restore was
 * undone.
 */
import { createHash } from "node:crypto";
import { basename, join, posix } from "node:path";
import { isObject } from "../../../core/event/guard.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { isThere } from "../../../core/file/presence.ts";
import { readShortFile, readShortText, RECORDS_BYTES } from "../../../core/file/short_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { lockFileNow } from "../../../core/log/lock_file.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import { mkdirSync, openSync, readDirSync } from "../../../core/platform/files.ts";
import { isNotFound } from "../../../core/platform/system_error.ts";
import { contentOf, type FileContent } from "../../../agents/contract/file_history.ts";
import { bytesOf } from "./project_path.ts";

const FOLDER = "restored";
const MANIFEST = "manifest.json";
const UNDONE = "undone";
/** Milliseconds that a restore waits until another restore ends. */
const LOCK_MS = 1000;

/** A file that a restore changed. */
export interface FormerFile {
  /** Path of the file relative to the project directory, with `/` as separator. */
  name: string;
  /** The file name under which the former content is kept; null if there was no file. */
  kept: string | null;
  mode: number | null;
  /** SHA-256 of the restored content; null where the file was deleted. */
  after: string | null;
}

/** The restore for which a folder stores the contents that were replaced. */
interface KeptOf {
  ref: string;
  /** Number of the event whose files were restored. */
  seq: number;
  /** Real path of the project directory. */
  directory: string;
  /** The time at which the restore replaced the files, in ISO 8601. */
  time: string;
}

export interface KeptFiles extends KeptOf {
  /** Absolute path of the folder with the replaced contents. */
  folder: string;
  files: FormerFile[];
}

export function hashOf(content: FileContent): string | null {
  const bytes = bytesOf(content);
  return bytes === undefined ? null : createHash("sha256").update(bytes).digest("hex");
}

/**
 * Stores contents before they are replaced, and flushes them to the disk.
 *
 * @returns The folder.
 * @throws {SessionError} `permission`, `disk-full`, `io`
 */
export function keepFiles(
  root: string,
  of: KeptOf,
  files: readonly { name: string; before: FileContent; mode: number | null; after: FileContent }[],
): string {
  const stamp = of.time.replaceAll(/[-:]|\.\d+/g, "");
  const folder = join(root, FOLDER, `${stamp}-${crypto.randomUUID().slice(0, 8)}`);
  try {
    mkdirSync(join(root, FOLDER), { recursive: true, mode: 0o700 });
    mkdirSync(folder, { mode: 0o700 });
    const kept = files.map(({ name, before, mode, after }, index): FormerFile => {
      const bytes = bytesOf(before);
      if (bytes !== undefined) writeNew(join(folder, `${index}`), bytes);
      return { name, mode, kept: bytes === undefined ? null : `${index}`, after: hashOf(after) };
    });
    const manifest = JSON.stringify({ v: 1, ...of, files: kept }, undefined, 2);
    writeNew(join(folder, MANIFEST), new TextEncoder().encode(`${manifest}\n`));
    return folder;
  } catch (error) {
    throw toSessionError(error, "keep a copy of each file that is replaced", folder);
  }
}

function writeNew(path: string, bytes: Uint8Array): void {
  using file = openSync(path, { write: true, createNew: true, mode: 0o600 });
  writeWhole(file, bytes);
  file.syncSync();
}

/** Yields the contents that restores replaced, newest first. @throws {SessionError} `damaged` */
function* keptOfAll(root: string): Generator<KeptFiles> {
  for (const folder of foldersIn(join(root, FOLDER))) {
    const path = join(folder, MANIFEST);
    if (isThere(path)) yield { ...readManifest(path), folder };
  }
}

/**
 * Returns the stored files of a session's latest restore that was not undone; undefined if there is
 * none.
 *
 * @throws {SessionError} `damaged` if a manifest is not valid.
 */
export function lastKept(root: string, ref: string): KeptFiles | undefined {
  return keptOfAll(root).find((kept) => kept.ref === ref && !isThere(join(kept.folder, UNDONE)));
}

/** Returns the temporary name in the project under which a restore writes a file. */
export function temporaryName(folder: string, name: string, index: number): string {
  return posix.join(posix.dirname(name), `.reprise-${basename(folder)}-${index}.tmp`);
}

/** Returns the names of temporary files that killed restores may have left in a project. */
export function temporaryNames(root: string, directory: string): string[] {
  return [...keptOfAll(root)].filter((kept) => kept.directory === directory)
    .flatMap(({ folder, files }) => files.map(({ name }, at) => temporaryName(folder, name, at)));
}

/**
 * Locks the project files of all sessions for one restore.
 *
 * @throws {SessionError} `locked` while another restore runs.
 */
export function lockRestores(root: string): Disposable {
  const path = join(root, FOLDER, "lock");
  try {
    mkdirSync(join(root, FOLDER), { recursive: true, mode: 0o700 });
    const lock = lockFileNow(path, LOCK_MS);
    if (lock !== undefined) return lock;
  } catch (error) {
    throw toSessionError(error, "lock the restore", path);
  }
  throw new SessionError("locked", "Cannot restore files: another restore is running", { path });
}

/** Lists the folders of restores. Their names begin with a time, and the latest comes first. */
function foldersIn(path: string): string[] {
  try {
    return [...readDirSync(path)].filter(({ isDirectory }) => isDirectory)
      .map(({ name }) => join(path, name)).sort().reverse();
  } catch (error) {
    if (isNotFound(error)) return [];
    throw toSessionError(error, "list restores", path);
  }
}

function readManifest(path: string): Omit<KeptFiles, "folder"> {
  try {
    const value: unknown = JSON.parse(readShortText(path, RECORDS_BYTES, { follow: false }));
    if (isManifest(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw toSessionError(error, "read the list of files of an earlier restore", path);
    }
  }
  const message =
    `Cannot read the list of files of an earlier restore: the file is damaged: ${path}`;
  throw new SessionError("damaged", message, { path });
}

function isManifest(value: unknown): value is Omit<KeptFiles, "folder"> {
  return isObject(value) && value.v === 1 && typeof value.ref === "string" &&
    typeof value.directory === "string" && Array.isArray(value.files) &&
    value.files.every((file) =>
      isObject(file) && typeof file.name === "string" &&
      (file.kept === null || (typeof file.kept === "string" && /^\d+$/.test(file.kept))) &&
      (file.mode === null || typeof file.mode === "number") &&
      (file.after === null || typeof file.after === "string")
    );
}

export function keptContent({ folder }: KeptFiles, { kept }: FormerFile): FileContent {
  if (kept === null) return null;
  const path = join(folder, kept);
  try {
    return contentOf(readShortFile(path, RECORDS_BYTES, { follow: false }));
  } catch (error) {
    throw toSessionError(error, "read saved file", path);
  }
}

/** Marks a restore as undone. The stored contents stay on the disk. */
export function markUndone({ folder }: KeptFiles): void {
  try {
    writeNew(join(folder, UNDONE), new Uint8Array());
  } catch (error) {
    throw toSessionError(error, "record the undo", folder);
  }
}
