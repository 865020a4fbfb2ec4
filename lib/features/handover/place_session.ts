/**
 * Puts a new session where its agent finds it: whole, or not at all. Existing files are not
 * changed, except for an index to which a line is appended.
 */
import { draftPath } from "../../core/file/draft_file.ts";
import { isFolderThere } from "../../core/file/presence.ts";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import type { OpenFile } from "../../core/platform/file_system.ts";
import { linkSync, openSync } from "../../core/platform/files.ts";
import { isAlreadyExists } from "../../core/platform/system_error.ts";
import { makeDirectories } from "../../core/store/create_log.ts";
import { syncDirectories } from "../../core/store/sync_directories.ts";
import type { SessionPlacement } from "../../agents/contract/session_writer.ts";
import { type AppendedLine, appendToFile } from "./appended_line.ts";

/** A file that a hand-over made. The hash shows if the file was changed later. */
export interface MadeFile {
  /** Absolute path of the file that was made. */
  path: string;
  /** SHA-256 of the file in lower-case hexadecimal. */
  sha256: string;
  /** Size of the file in bytes. */
  bytes: number;
}

interface PlacedFiles {
  file: MadeFile;
  beside: MadeFile[];
  /** Folders that were made for the files. Each one comes after the folder that contains it. */
  folders: string[];
  appended?: AppendedLine;
}

/** Number of characters to collect before a write, because most pieces are as short as a line. */
const BUFFER_CHARACTERS = 256 * 1024;

/**
 * Writes the files of a new session, and makes their folders. After an error, none of them stays.
 *
 * @throws {SessionError} `io` if a file with the name exists; `permission`, `disk-full`,
 * `sync-failed`
 */
export async function placeSession(
  { path, beside = [], appended }: Pick<SessionPlacement, "path" | "beside" | "appended">,
  pieces: AsyncIterable<string>,
): Promise<PlacedFiles> {
  const made: MadeFile[] = [];
  const folders: string[] = [];
  const synced: string[] = [];
  const make = (folder: string): void => {
    for (const one of missingFolders(folder)) folders.push(one);
    for (const one of makeDirectories(folder)) synced.push(one);
  };
  let added: AppendedLine | undefined;
  try {
    for (const { path: own, text } of beside) {
      make(dirname(own));
      const file = makeBeside(own, text);
      if (file !== undefined) made.push(file);
    }
    make(dirname(path));
    made.unshift(await makeFile(path, pieces));
    const named = made.map(({ path: own }) => dirname(own));
    await syncDirectories([...new Set([...synced, ...named])]);
    if (appended !== undefined) added = appendToFile(appended.path, appended.line);
  } catch (error) {
    // Agents would find an incomplete session, too.
    for (const { path: own } of made) removeQuietly(own);
    for (const folder of folders.toReversed()) removeQuietly(folder);
    throw placingError(error, path);
  }
  const [file, ...others] = made as [MadeFile, ...MadeFile[]];
  return present({ file, beside: others, folders, appended: added });
}

function missingFolders(folder: string): string[] {
  return isFolderThere(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

function makeBeside(path: string, text: string): MadeFile | undefined {
  const bytes = new TextEncoder().encode(text);
  try {
    using file = openSync(path, { write: true, createNew: true, mode: 0o600 });
    writeWhole(file, bytes);
    file.syncSync();
  } catch (error) {
    if (isAlreadyExists(error)) return undefined;
    throw error;
  }
  return { path, sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length };
}

/** Writes a file under a name that agents ignore, and renames it when it is complete. */
async function makeFile(path: string, pieces: AsyncIterable<string>): Promise<MadeFile> {
  const draft = draftPath(path);
  try {
    let written: Omit<MadeFile, "path">;
    {
      using file = openSync(draft, { write: true, createNew: true, mode: 0o600 });
      written = await writePieces(file, pieces);
      file.syncSync();
    }
    giveName(draft, path);
    return { path, ...written };
  } finally {
    removeQuietly(draft);
  }
}

async function writePieces(
  file: OpenFile,
  pieces: AsyncIterable<string>,
): Promise<Omit<MadeFile, "path">> {
  const hash = createHash("sha256");
  const encoder = new TextEncoder();
  let bytes = 0;
  let waiting: string[] = [];
  let characters = 0;
  const flush = (): void => {
    const encoded = encoder.encode(waiting.join(""));
    hash.update(encoded);
    writeWhole(file, encoded);
    bytes += encoded.length;
    waiting = [];
    characters = 0;
  };
  for await (const piece of pieces) {
    waiting.push(piece);
    characters += piece.length;
    if (characters >= BUFFER_CHARACTERS) flush();
  }
  flush();
  return { sha256: hash.digest("hex"), bytes };
}

/** Gives the draft its name by a hard link. Unlike renaming, a link never replaces a file. */
function giveName(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const message = `Cannot write session: a file with this name already exists: ${path}`;
    throw new SessionError("io", message, { path }, error);
  }
}

function placingError(error: unknown, path: string): SessionError {
  const { code } = error as { code?: string };
  if (code === "EROFS") {
    const message = `Cannot write session: the file system is read-only: ${path}; ` +
      "write the session elsewhere with --out FILE";
    return new SessionError("permission", message, { path }, error);
  }
  return toSessionError(error, "write session", path);
}
