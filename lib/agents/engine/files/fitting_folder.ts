/** Finds a folder by a name into which an agent encoded the folder's path. */
import { SessionError } from "../../../core/event/session_error.ts";
import { listFolder } from "./folder.ts";

/**
 * Returns the existing folder below `folder` whose relative path was encoded as `name`. Undefined
 * if there is none. The encoding replaces each run of characters other than letters and digits by a
 * dash.
 */
export function fittingFolder(name: string, folder: string): string | undefined {
  const key = `${folder} ${name}`;
  if (!known.has(key)) known.set(key, fitting(name, folder));
  return known.get(key);
}

const known = new Map<string, string | undefined>();

function fitting(name: string, folder: string): string | undefined {
  if (name === "") return folder;
  try {
    for (const entry of listFolder(folder)) {
      const own = entry.name.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-|-$/g, "");
      if (!entry.isDirectory || own === "" || !`${name}-`.startsWith(`${own}-`)) continue;
      const found = fitting(name.slice(own.length + 1), entry.path);
      if (found !== undefined) return found;
    }
  } catch (error) {
    // A folder that may not be listed.
    if (!(error instanceof SessionError)) throw error;
  }
  return undefined;
}
