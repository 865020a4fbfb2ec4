/**
 * Caches the names in a folder while the folder's modification time stays the same. A server finds
 * its sessions many times a second. Most of that time would go into listing thousands of names.
 */
import type { FileInfo } from "../platform/file_system.ts";
import { statSync } from "../platform/files.ts";
import { operatingSystem } from "../platform/runtime.ts";

interface Listing extends Pick<FileInfo, "ino"> {
  mtime: number;
  /** Time at which the folder's `mtime` was first seen, in milliseconds of `performance.now()`. */
  seen_at: number;
  /** Time at which the names were listed, in milliseconds of `performance.now()`. */
  listed_at: number;
  names: readonly string[];
}

/**
 * Milliseconds between two changes of a folder after which their times surely differ. FAT stores
 * times in steps of two seconds. Names listed within a step may lack a later change in that step.
 */
const STEP_MS = 2100;

/** Maximum number of names of all folders together. Beyond it, all kept names are dropped. */
const MOST_NAMES = 100_000;

const listings = new Map<string, Listing>();
let names_kept = 0;

/**
 * Returns the names in a folder.
 *
 * @param list Lists the names. It is not called if the folder has not changed since the last call.
 * @param now Returns the present time in milliseconds. @default {performance.now}
 */
export function keptNames(
  path: string,
  list: (path: string) => string[],
  now: () => number = () => performance.now(),
): readonly string[] {
  const info = infoOf(path);
  const mtime = info?.mtime?.getTime();
  if (info === undefined || mtime === undefined) return list(path);
  const known = listings.get(path);
  const listed_at = now();
  const same = known?.mtime === mtime && known.ino === info.ino ? known : undefined;
  if (same !== undefined && same.listed_at - same.seen_at >= STEP_MS) return same.names;
  const { seen_at = listed_at } = same ?? {};
  const names = list(path);
  keep(path, { mtime, ino: info.ino, seen_at, listed_at, names });
  return names;
}

function keep(path: string, listing: Listing): void {
  names_kept += listing.names.length - (listings.get(path)?.names.length ?? 0);
  listings.set(path, listing);
  if (names_kept <= MOST_NAMES) return;
  listings.clear();
  names_kept = 0;
}

/** Returns a folder's file information. Undefined if a new name may leave its time unchanged. */
function infoOf(path: string): FileInfo | undefined {
  // Windows leaves the time of a folder on FAT as it is. macOS may do so, too.
  if (operatingSystem !== "linux") return undefined;
  try {
    return statSync(path);
  } catch {
    // Missing or unreadable: listing it reports the error.
    return undefined;
  }
}
