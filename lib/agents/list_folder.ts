/**
 * What lies in a folder of another agent, symbolic links followed: a store that was moved elsewhere
 * and linked back must not hide its sessions.
 */
import { join } from "node:path";
import { toSessionError } from "../log/io_error.ts";

/** The names in a folder, sorted. */
export interface FolderListing {
  folders: string[];
  files: string[];
}

/**
 * Lists a folder. One that is missing, or is none, lists nothing.
 *
 * @throws {SessionError} `permission`, `io`
 */
export function listFolder(path: string): FolderListing {
  const listing: FolderListing = { folders: [], files: [] };
  for (const { name, ...entry } of entriesOf(path)) {
    const { isDirectory, isFile } = entry.isSymlink ? targetOf(join(path, name)) : entry;
    if (isDirectory) listing.folders.push(name);
    else if (isFile) listing.files.push(name);
  }
  listing.folders.sort();
  listing.files.sort();
  return listing;
}

function entriesOf(path: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(path)];
  } catch (error) {
    if (isMissing(error)) return [];
    throw toSessionError(error, "list sessions", path);
  }
}

/** A link that leads nowhere is neither a folder nor a file. */
function targetOf(path: string): { isDirectory: boolean; isFile: boolean } {
  try {
    return Deno.statSync(path);
  } catch {
    // NotFound, FilesystemLoop or PermissionDenied: there is nothing to read behind it.
    return { isDirectory: false, isFile: false };
  }
}

/** Whether a path is a regular file, links followed. */
export function isFile(path: string): boolean {
  return targetOf(path).isFile;
}

function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}
