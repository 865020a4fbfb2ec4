/** The cache folder of a library, or why it cannot be used. */
import { SessionError } from "../lib/event/session_error.ts";
import { cacheProblem } from "../lib/library/cache/own_cache.ts";
import type { Library } from "../lib/library/library.ts";

/** A folder that can be used, or a reason. */
export type CacheFolder = { folder: string; reason?: never } | { reason: string; folder?: never };

/** Returns the cache folder of a library's data root, which need not exist. */
export function cacheFolderOf({ place: { cache } }: Library): CacheFolder {
  if (cache === undefined) return { reason: "set HOME or REPRISE_CACHE" };
  const reason = cacheProblem(cache);
  return reason === undefined ? { folder: cache } : { reason };
}

/** Another process writes the index. */
export function indexLocked(path: string): SessionError {
  const message = "Cannot write the index: another process writes it; try again when it has ended";
  return new SessionError("locked", message, { path });
}
