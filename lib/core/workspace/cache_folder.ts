/** Resolves the folder of derived data: the catalogue, the usage of sessions and the search index. */
import { join, resolve } from "node:path";
import type { ReadVariable } from "./data_root.ts";
import { pathDigest } from "./namespace.ts";
import { realPlace } from "./real_directory.ts";

export function cacheRoot(variable: ReadVariable, os: string): string | undefined {
  const own = variable("REPRISE_CACHE");
  if (own) return own;
  if (os === "windows") {
    const local = variable("LOCALAPPDATA");
    return local ? join(local, "reprise", "Cache") : undefined;
  }
  const home = variable("HOME");
  if (os === "darwin") return home ? join(home, "Library", "Caches", "reprise") : undefined;
  const cache = variable("XDG_CACHE_HOME");
  if (cache) return join(cache, "reprise");
  return home ? join(home, ".cache", "reprise") : undefined;
}

/** Returns the data root's own sub-folder of the user's cache folder. Neither needs to exist. */
export function cacheFolder(
  root: string,
  variable: ReadVariable,
  os: string,
): string | undefined {
  const folder = cacheRoot(variable, os);
  return folder === undefined ? undefined : join(resolve(folder), pathDigest(realPlace(root)));
}
