/** Finds and makes the files of the facts databases. */
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

/** Returns the inode of a file, which differs once the file is replaced. NaN if no file exists. */
export function inodeOf(path: string): number {
  try {
    return lstatSync(path).ino ?? 0;
  } catch {
    // Another process has just removed it.
    return NaN;
  }
}

/** Returns the paths of all facts databases in a cache folder, including other versions. */
export function factsIn(folder: string): string[] {
  return pathsIn(folder, NAME);
}
