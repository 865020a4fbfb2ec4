/** Finds folders that the files of a session would make a repository: git runs what its `config` names. */
import { join } from "node:path";
import { readDirSync } from "../../../core/platform/files.ts";
import { foldName } from "./project_path.ts";

/** The reason for writing no file below a folder that could be a git repository. */
export const IN_REPOSITORY =
  "a folder in the file's path is, or would become, a bare git repository";

/**
 * Returns the names that are below a folder which is, or would become, a repository without a
 * working tree. Files that are there already count. A work tree inside a repository is none of it.
 *
 * @param directory Absolute. @param names Below it, with `/`.
 */
export function namesInRepositories(directory: string, names: readonly string[]): Set<string> {
  const folders = new Map<string, Set<string>>();
  for (const name of names) {
    for (const [folder, entry] of steps(name)) {
      const key = foldName(folder);
      const entries = folders.get(key) ?? new Set();
      folders.set(key, entries);
      if (!entries.has(`/${folder}`)) {
        // The spelling is noted, which no name can equal: folders may differ in case alone.
        entries.add(`/${folder}`);
        for (const there of entriesOf(join(directory, folder))) entries.add(foldName(there));
      }
      entries.add(foldName(entry));
    }
  }
  return new Set(names.filter((name) => {
    for (const [folder] of steps(name).toReversed()) {
      const entries = folders.get(foldName(folder));
      if (entries === undefined) continue;
      if (isRepository(entries)) return true;
      if (entries.has(".git")) return false;
    }
    return false;
  }));
}

/** Returns the folders along a path, each with the name of the entry that leads on. */
function steps(name: string): [folder: string, entry: string][] {
  const parts = name.split("/");
  return parts.map((entry, index) => [parts.slice(0, index).join("/"), entry]);
}

/** True by git's `is_git_directory` (setup.c, 2.47), except contents, which may change later. */
function isRepository(entries: ReadonlySet<string>): boolean {
  return entries.has("head") &&
    (entries.has("commondir") || (entries.has("objects") && entries.has("refs")));
}

function entriesOf(folder: string): string[] {
  try {
    return Array.from(readDirSync(folder), ({ name }) => name);
  } catch {
    // A folder that is missing has none; one that cannot be read is refused when it is written to.
    return [];
  }
}
