/**
 * Keeps the names in a folder while the folder's time is the same. A server finds its sessions many
 * times a second. Most of that time would go into listing thousands of names.
 */
import type { FileInfo } from "../platform/file_system.ts";
import { statSync } from "../platform/files.ts";
import { operatingSystem } from "../platform/runtime.ts";

/** The names that a folder had. */
interface Listing extends Pick<FileInfo, "ino"> {
  mtime: number;
  /** Milliseconds of this process at which the folder's time was first seen. */
  seen_at: number;
  /** Milliseconds of this process at which the names were listed. */
  listed_at: number;
  names: readonly string[];
}

/**
 * Milliseconds after which each change gives a folder another time. FAT counts two seconds. Names
 * that were listed earlier may lack a later change of the same time.
 */
const STEP_MS = 2100;

/** Maximum number of names that are kept. */
const MOST_NAMES = 100_000;

const listings = new Map<string, Listing>();
let names_kept = 0;

/**
 * Returns the names in a folder.
 *
 * @param list Lists them. It is not called if the folder did not change since.
 * @param now Returns the time of this process. @default {performance.now}
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

/** Returns the state of a folder; undefined if its time does not tell whether its names changed. */
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
