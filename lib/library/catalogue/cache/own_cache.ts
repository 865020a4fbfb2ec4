/** Checks and makes the cache folder. An unsafe folder is never used: its rows could be planted. */
import { dirname, join } from "node:path";
import { lstatSync, mkdirSync, writeTextFileSync } from "../../../core/platform/files.ts";
import { isNotFound } from "../../../core/platform/system_error.ts";
import { makeOwnFolder, unsafeReason } from "../../../core/store/store_safety.ts";

/** Name of the file that makes backup programs skip its folder. */
const CACHE_TAG = "CACHEDIR.TAG";
const CACHE_TAG_TEXT = "Signature: 8a477f597d28d172789f06886806bc55\n" +
  "# The cache of Reprise: it can be deleted at any time.\n";

/**
 * Returns why the cache folder cannot be used. Undefined if it can be used or does not exist.
 * Checks its parent folder, too.
 */
export function cacheProblem(folder: string): string | undefined {
  return problemOf(dirname(folder)) ?? problemOf(folder);
}

function problemOf(path: string): string | undefined {
  try {
    const info = lstatSync(path);
    const reason = info.isSymlink
      ? "the path is a link"
      : info.isDirectory
      ? unsafeReason(info)
      : "the path is not a folder";
    return reason === undefined ? undefined : `${reason}: ${path}`;
  } catch (error) {
    return isNotFound(error) ? undefined : `${(error as Error).message}: ${path}`;
  }
}

/**
 * Makes the cache folder of a data root if it is missing.
 *
 * @throws {SessionError} `unsafe-store` if the folder is a link or others can write it. Else the
 * system's error.
 */
export function makeCacheFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  makeOwnFolder(folder);
  try {
    writeTextFileSync(join(folder, CACHE_TAG), CACHE_TAG_TEXT, { mode: 0o600, createNew: true });
  } catch {
    // It is there already, or the disk is full: what is written next tells.
  }
}
