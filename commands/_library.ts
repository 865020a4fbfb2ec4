/** Opens the session library of this machine, and finds its cache folder. */
import { type Library, openLibrary } from "../lib/library/library.ts";
import { operatingSystem } from "../lib/core/platform/runtime.ts";
import { readConfig } from "../lib/core/workspace/config_file.ts";
import { dataRoot } from "../lib/core/workspace/data_root.ts";
import type { Context } from "./_context.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import { cacheProblem } from "../lib/library/catalogue/cache/own_cache.ts";

/**
 * Opens the session library for a command's environment.
 *
 * @throws {SessionError} `invalid-config` if the environment does not determine the sessions'
 * folder
 */
export function contextLibrary(context: Context): Library {
  const { variable, cwd, version, now } = context;
  const cache = isCacheOff(context) ? undefined : { version };
  const library = openLibrary({ variable, cwd, now, cache });
  const { root: _ } = library;
  return library;
}

/** True if `--no-cache` or a setting switches the cache off, or if the settings are unreadable. */
export function isCacheOff({ variable, no_cache = false }: Context): boolean {
  const root = dataRoot(variable, operatingSystem === "windows");
  if (no_cache || root === undefined) return no_cache;
  try {
    return !readConfig(root)["cache.enabled"];
  } catch {
    // Other commands report the error.
    return true;
  }
}

type CacheFolder = { folder: string; reason?: never } | { reason: string; folder?: never };

/** Returns the cache folder, which need not exist, or the reason why it is unusable. */
export function cacheFolderOf({ place: { cache } }: Library): CacheFolder {
  if (cache === undefined) return { reason: "set HOME or REPRISE_CACHE" };
  const reason = cacheProblem(cache);
  return reason === undefined ? { folder: cache } : { reason };
}

export function indexLocked(path: string): SessionError {
  const message =
    "Cannot write the index: another process is writing it; try again when that process has ended";
  return new SessionError("locked", message, { path });
}
