/** Checks the cache folder, and finds cache files that an earlier version kept in the data root. */
import { dirname, join } from "node:path";
import { lstatSync, openSync, readDirSync, removeSync } from "../../../core/platform/files.ts";
import { examinePath, type StoreProblem } from "../../../core/store/examine_store.ts";
import { cacheProblem, makeCacheFolder } from "./own_cache.ts";

const FORMER = /^(?:catalogue(?:\.usage|\.lock|-[0-9a-f-]{36}\.tmp)?|index)$/;

/**
 * Finds the problems of a cache folder: links, owners, modes, and why it cannot be written.
 *
 * @param folder As `library.place.cache`.
 */
export function* examineCache(folder: string): Generator<StoreProblem> {
  const base = dirname(folder);
  const problem = cacheProblem(folder);
  if (problem !== undefined) {
    const fixes = [...examinePath(base)].filter(({ path }) => path === base || path === folder);
    yield { ...fixes[0], code: "cache", path: base, detail: `the cache is not used: ${problem}` };
    return;
  }
  yield* examinePath(base);
  try {
    writeOnce(folder);
  } catch (error) {
    const { message } = error as Error;
    yield { code: "cache", path: folder, detail: `the cache is not used: ${message}` };
  }
}

/** Makes a file in the folder and removes it: only that shows if the folder can be written. */
function writeOnce(folder: string): void {
  makeCacheFolder(folder);
  const path = join(folder, `examined-${crypto.randomUUID()}`);
  openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  removeSync(path);
}

export function* formerCacheFiles(root: string): Generator<StoreProblem> {
  for (const name of namesIn(root).filter((name) => FORMER.test(name))) {
    const path = join(root, name);
    const detail =
      "an earlier version of Reprise wrote this cache; this version does not use the cache";
    yield { code: "leftover", path, detail, fix: () => removeSync(path, { recursive: true }) };
  }
}

function namesIn(root: string): string[] {
  try {
    return lstatSync(root).isDirectory ? [...readDirSync(root)].map(({ name }) => name).sort() : [];
  } catch {
    // Missing, or not to be read: the store's own problems tell.
    return [];
  }
}
