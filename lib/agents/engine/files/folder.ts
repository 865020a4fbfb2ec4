/** Lists folders in which agents store sessions. A missing folder counts as empty. */
import { asObject, type Json, parsedJson } from "../json.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import type { DirEntry } from "../../../core/platform/file_system.ts";
import { readDirSync, statSync } from "../../../core/platform/files.ts";
import {
  isImpossibleName,
  isNotADirectory,
  isNotFound,
} from "../../../core/platform/system_error.ts";

export interface FolderEntry {
  name: string;
  path: string;
  isFile: boolean;
  isDirectory: boolean;
}

/**
 * Returns a folder's direct entries, ordered by name. Symbolic links are followed. Empty if the
 * folder is missing.
 *
 * @throws {SessionError} `permission`, `io`
 */
export function listFolder(path: string): FolderEntry[] {
  // Most sessions have no folder of their own: an error for each costs more than a look.
  if (!existsSync(path)) return [];
  try {
    // To join each name by itself would normalize the folder's path as often.
    const prefix = join(path, "_").slice(0, -1);
    return [...readDirSync(path)]
      .map((entry) => resolved(entry, prefix + entry.name))
      .sort((one, other) => one.name < other.name ? -1 : 1);
  } catch (error) {
    if (isNotFound(error) || isNotADirectory(error) || isImpossibleName(error)) return [];
    throw toSessionError(error, "list sessions", path);
  }
}

export function folders(path: string): string[] {
  return listFolder(path).filter(({ isDirectory }) => isDirectory).map((entry) => entry.path);
}

function resolved({ name, isFile, isDirectory, isSymlink }: DirEntry, path: string): FolderEntry {
  if (!isSymlink) return { name, path, isFile, isDirectory };
  try {
    const target = statSync(path);
    return { name, path, isFile: target.isFile, isDirectory: target.isDirectory };
  } catch {
    // A link to nowhere is neither.
    return { name, path, isFile: false, isDirectory: false };
  }
}

/** Returns a JSON file's object. Empty if the file is missing or holds no object. */
export function readJsonObject(path: string): Json {
  return asObject(readJson(path));
}

/** Returns a JSON file's value. Undefined if the file is missing or is not JSON. */
export function readJson(path: string): unknown {
  return parsedJson(shortTextIn(path, RECORDS_BYTES));
}
