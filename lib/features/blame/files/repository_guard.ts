/** Finds folders that new files would make a git repository. Its `config` may name programs. */
import { join } from "node:path";
import { readDirSync } from "../../../core/platform/files.ts";
import { foldName } from "./project_path.ts";

export const IN_REPOSITORY =
  "a folder in the file's path is, or would become, a bare git repository";

/**
 * Returns the names below a folder that is, or would become, a bare repository. Files that already
 * exist in the folder count, too. A work tree inside such a folder does not count as part of it.
 *
 * @param directory Absolute path.
 * @param names Paths relative to `directory`, with `/` as separator.
 */
export function namesInRepositories(directory: string, names: readonly string[]): Set<string> {
  const folders = new Map<string, Set<string>>();
  for (const name of names) {
    for (const [folder, entry] of steps(name)) {
      const key = foldName(folder);
      const entries = folders.get(key) ?? new Set();
      folders.set(key, entries);
      if (!entries.has(`/${folder}`)) {
        // Marks this spelling as read: folders may differ in case. No name begins with `/`.
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

function steps(name: string): [folder: string, entry: string][] {
  const parts = name.split("/");
  return parts.map((entry, index) => [parts.slice(0, index).join("/"), entry]);
}

/** True if git 2.47 (`is_git_directory`) may take a folder with these entries as a repository. */
function isRepository(entries: ReadonlySet<string>): boolean {
  return entries.has("head") &&
    (entries.has("commondir") || (entries.has("objects") && entries.has("refs")));
}

function entriesOf(folder: string): string[] {
  try {
    return Array.from(readDirSync(folder), ({ name }) => name);
  } catch {
    // A missing folder has no entries. Writing refuses a folder that cannot be read.
    return [];
  }
}
