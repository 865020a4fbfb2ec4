/** Finds the files of databases of facts, and makes them. */
import { join } from "node:path";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import { lstatSync } from "../../core/platform/files.ts";
import { makeFile, pathsIn, removeUnused } from "./cache/cache_database.ts";
import { type CatalogueOptions, programOf } from "./catalogue_options.ts";

/** The version of the database. It is raised when a table or a rule for summaries changes. */
const VERSION = 5;
const NAME = /^library-[0-9a-f]{8}\.db$/;
/** Matches the names of files that earlier versions kept in place of the database. */
const FORMER = /^catalogue(?:\.(?:located-.*|usage|lock)|-[0-9a-f-]{36}\.tmp)?$/;

/** Returns the absolute path of the database in a cache folder. */
export function factsPath({ folder, version = "" }: CatalogueOptions & { folder: string }): string {
  const program = programOf(`${version} ${VERSION}`).toString(16).padStart(8, "0");
  return join(folder, `library-${program}.db`);
}

/** Makes the file of a database if it is missing, and removes unused databases. */
export function makeFactsFile(folder: string, path: string): void {
  if (!makeFile(path)) return;
  for (const former of pathsIn(folder, FORMER)) removeQuietly(former);
  removeUnused(factsIn(folder), path);
}

/**
 * Returns the inode of a file, which differs once the file is replaced; NaN if there is no file.
 */
export function inodeOf(path: string): number {
  try {
    return lstatSync(path).ino ?? 0;
  } catch {
    // Another process has just removed it.
    return NaN;
  }
}

/** Returns the paths of all databases in a cache folder, those of other versions included. */
export function factsIn(folder: string): string[] {
  return pathsIn(folder, NAME);
}
