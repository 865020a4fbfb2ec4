/**
 * Directories that moved, as `relink` marked them, in order. A relink applies to sessions in the
 * directory or below it that began before the relink. Sessions begun there later stay there. Pure.
 */
import { canonicalPath } from "../workspace/namespace.ts";
import { pathRules } from "../workspace/path_rules.ts";
import { joinBelow, namesBelow } from "../workspace/system_path.ts";

/** A directory whose sessions belong to another directory since `time`. */
export interface Relink {
  /** Canonical path of the old directory. */
  from: string;
  /** Canonical path of the new directory. */
  to: string;
  /** ISO 8601: time of the relink. */
  time: string;
}

const PREFIX = "cwd:";

export function relinkRef(directory: string): string {
  return PREFIX + canonicalPath(directory);
}

/** Converts a mark to a relink. Undefined if the mark does not move a whole directory. */
export function toRelink(
  { ref, relinked, time }: { ref: string; relinked?: string; time: string },
): Relink | undefined {
  if (relinked === undefined || !ref.startsWith(PREFIX)) return undefined;
  return { from: ref.slice(PREFIX.length), to: canonicalPath(relinked), time };
}

/** Adds a relink. A relink from a directory to itself removes all relinks of that directory. */
export function withRelink(relinks: readonly Relink[], relink: Relink): Relink[] {
  const { from, to } = relink;
  return from === to ? relinks.filter((one) => one.from !== from) : [...relinks, relink];
}

/** Returns the path in `to` that matches `path` in `from`; undefined for a path not in `from`. */
function moved(path: string, from: string, to: string): string | undefined {
  const names = namesBelow(from, path, pathRules());
  return names && canonicalPath(joinBelow(to, names.join("/")));
}

/** True if `path` is `directory` itself or below it. */
export function isWithin(path: string, directory: string): boolean {
  return namesBelow(directory, path, pathRules()) !== undefined;
}

/** True if a relink is not before `since`, or if one of the times is unknown. */
function isAfter({ time }: Relink, since: string | undefined): boolean {
  return !(Date.parse(time) < Date.parse(since ?? ""));
}

/**
 * Returns the directory that a session belongs to now.
 *
 * @param cwd The directory in which the session began.
 * @param since The time at which the session began, in ISO 8601.
 */
export function relinkedDirectory(
  cwd: string,
  since: string | undefined,
  relinks: readonly Relink[],
): string {
  let at = canonicalPath(cwd);
  let last: Relink | undefined;
  for (const relink of relinks) {
    // Marked together: the directory that it just came from, by another of its spellings.
    if (relink.to === last?.to && relink.time === last.time) continue;
    const next = isAfter(relink, since) ? moved(at, relink.from, relink.to) : undefined;
    if (next === undefined) continue;
    at = next;
    last = relink;
  }
  return last === undefined ? cwd : at;
}

/** Returns a directory, and all directories that were relinked to it. */
export function formerDirectories(cwd: string, relinks: readonly Relink[] = []): string[] {
  const found = new Set([canonicalPath(cwd)]);
  for (const { from, to } of relinks.toReversed()) {
    for (const path of [...found]) {
      const former = moved(path, to, from);
      if (former !== undefined) found.add(former);
    }
  }
  return [...found];
}
