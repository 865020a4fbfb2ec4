/**
 * Finds the files of databases of facts, and makes and removes them. A file of another user is
 * not used, because its rows could be planted.
 */
import { join } from "node:path";
import { removeQuietly } from "../../file/remove_quietly.ts";
import { lstatSync, openSync, readDirSync, removeSync } from "../../platform/files.ts";
import { isAlreadyExists, isNotFound } from "../../platform/system_error.ts";
import { unsafeReason } from "../../session/store_safety.ts";
import { type CatalogueOptions, programOf } from "./catalogue_options.ts";

/** Raised whenever a table, or a rule by which sessions are summarized, changes. */
const VERSION = 3;
const NAME = /^library-[0-9a-f]{8}\.db$/;
/** Matches files that earlier versions kept in its place. */
const FORMER = /^catalogue(?:\.(?:located-.*|usage|lock)|-[0-9a-f-]{36}\.tmp)?$/;
/** Ends the name of what SQLite keeps beside a database while it writes. */
const JOURNAL = "-journal";

/** Returns the absolute path of the database in a cache folder. */
export function factsPath({ folder, version = "" }: CatalogueOptions & { folder: string }): string {
  const program = programOf(`${version} ${VERSION}`).toString(16).padStart(8, "0");
  return join(folder, `library-${program}.db`);
}

/** True for a regular file of our own with one name; undefined where there is none. */
function isOwn(path: string): boolean | undefined {
  try {
    const info = lstatSync(path);
    return info.isFile && (info.nlink ?? 1) <= 1 && unsafeReason(info) === undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** True where a database, and the journal beside it, are our own. */
export function isOwnDatabase(path: string): boolean {
  return isOwn(path) === true && isOwn(path + JOURNAL) !== false;
}

/** Makes the file of a database, which only its owner can read, where there is none. */
export function makeDatabaseFile(folder: string, path: string): void {
  if (isMade(path)) removeUnused(folder, path);
}

/** Makes an empty file; false where there is one of our own. */
function isMade(path: string): boolean {
  try {
    openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
    return true;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    if (isOwnDatabase(path)) return false;
    // A link or a pipe in our folder goes; what a link leads to stays.
    for (const one of [path + JOURNAL, path]) if (isOwn(one) === false) removeSync(one);
    return isMade(path);
  }
}

/** Removes a database with its journal. */
export function removeDatabase(path: string): void {
  for (const one of [path, path + JOURNAL]) removeQuietly(one);
}

/** Returns the number of a file, which another one in its place does not have. */
export function inodeOf(path: string): number {
  return lstatSync(path).ino ?? 0;
}

const UNUSED_MS = 30 * 86_400_000;

/** Removes databases that no version has written for a month, and the files of former versions. */
function removeUnused(folder: string, own: string): void {
  for (const { name } of readDirSync(folder)) {
    if (FORMER.test(name)) removeQuietly(join(folder, name));
  }
  for (const path of factsIn(folder)) {
    const { mtime } = lstatSync(path);
    if (path !== own && Date.now() - (mtime?.getTime() ?? 0) > UNUSED_MS) removeQuietly(path);
  }
}

/** Returns the databases in a cache folder, of whatever version. */
export function factsIn(folder: string): string[] {
  const names = [...readDirSync(folder)].map(({ name }) => name);
  return names.filter((name) => NAME.test(name)).map((name) => join(folder, name));
}
