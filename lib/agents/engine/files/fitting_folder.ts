/** Finds a folder by a name that its path was made into. */
import { SessionError } from "../../../core/event/session_error.ts";
import { listFolder } from "./folder.ts";

/**
 * Returns an existing folder below `folder` whose path was converted to `name`; undefined if none
 * fits. In the name, each run of other characters than letters and digits is a dash.
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
