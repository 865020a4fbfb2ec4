/** Finds the sessions that changed a file, or files below a directory. */
import { basename, dirname, join, resolve } from "node:path";
import { present } from "../../core/event/present.ts";
import { isFolderThere } from "../../core/file/presence.ts";
import type { SessionEntry } from "../query/query.ts";
import { isInProject, projectDirectories } from "../../core/workspace/project.ts";
import { pathRules } from "../../core/workspace/path_rules.ts";
import { realDirectory } from "../../core/workspace/real_directory.ts";
import { sessionDirectory, sessionFilePath } from "../../core/workspace/session_directory.ts";
import { namesBelow } from "../../core/workspace/system_path.ts";
import { changesOf, type ChangesOptions, type Touch } from "./session_changes.ts";

/** The files that a session changed. */
export interface FileTouches {
  /** Paths relative to the top of the work tree, or absolute paths outside of it; sorted. */
  files: string[];
  /** Number of successful changes of `files`. */
  edits: number;
  /** The time of the last change, in ISO 8601; absent if no time was recorded. */
  last_at?: string;
}

/** A session, and the directory of its project today. */
export type TouchingEntry =
  & Pick<SessionEntry, "session" | "cwd">
  & Partial<Pick<SessionEntry, "state">>;

/** The requested file or directory in all work trees, or any path with the requested end. */
interface Target {
  /** The names in the requested relative path; absent if the target is an absolute path. */
  ending?: readonly string[];
  tops: readonly string[];
  /** The target's path relative to the top of its work tree; empty for the top itself. */
  name: string;
  /** File names to search for in sessions. Empty for a directory, because a link may rename it. */
  names: readonly string[];
}

/**
 * Finds sessions' changes of a file, or of files below a directory. Changes count in all threads,
 * if their calls succeeded. A file in another work tree of the repository is the same file. If a
 * project moved, the paths in its sessions moved with it.
 *
 * @param entries The sessions to search.
 * @param path An absolute path, which need not exist. A relative path means any path that ends in
 * it, and all files in a folder that ends in it.
 * @returns The sessions that changed such a file, with their changes.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { findTouches } from "@reprise/reprise/blame";
 *
 * assert.equal((await findTouches([], "/home/ada/note.txt")).size, 0);
 * ```
 */
export async function findTouches<Entry extends TouchingEntry>(
  entries: readonly Entry[],
  path: string,
  options: ChangesOptions = {},
): Promise<Map<Entry, FileTouches>> {
  const target = targetOf(path);
  const found = new Map<Entry, FileTouches>();
  const real = new Map<string, string>();
  const isInside = (entry: Entry): boolean => isInsideOf(target, entry);
  for await (
    const { entry, touches } of changesOf(entries, { names: target.names, isInside }, options)
  ) {
    const own = touchesOf(touches, target, { now: entry.cwd, real });
    if (own.edits > 0) found.set(entry, own);
  }
  return found;
}

function targetOf(path: string): Target {
  const named = sessionDirectory(path);
  if (named === undefined) {
    const ending = path.split(/[\\/]/).filter((name) => !["", "."].includes(name));
    return { ending, tops: [], name: "", names: ending.slice(-1) };
  }
  if (named.local === undefined) {
    return { tops: [path], name: "", names: [nameAtEnd(path)] };
  }
  const real = realPath(path);
  const tops = projectDirectories(real);
  const top = tops.find((one) => isInProject(real, [one])) ?? real;
  const name = namesBelow(top, real, pathRules())?.join("/") ?? "";
  return { tops, name, names: isFolderThere(real) ? [] : [basename(real)] };
}

/** Resolves links in the directory only. The file itself may be missing or a link. */
function realPath(path: string): string {
  const absolute = resolve(path);
  return dirname(absolute) === absolute
    ? absolute
    : join(realDirectory(dirname(absolute)), basename(absolute));
}

function nameAtEnd(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

function isInsideOf(target: Target, { session, cwd }: TouchingEntry): boolean {
  const real = sessionDirectory(cwd)?.real;
  return real !== undefined && nameIn(target, real) !== undefined ||
    holdsName(target, cwd) || holdsName(target, session.cwd);
}

function holdsName({ names }: Target, text = ""): boolean {
  const folded = text.toLowerCase();
  return names.length === 0 || names.some((name) => folded.includes(name.toLowerCase()));
}

function touchesOf(
  touches: readonly Touch[],
  target: Target,
  { now, real }: { now: string | undefined; real: Map<string, string> },
): FileTouches {
  const files = new Set<string>();
  const { ending } = target;
  let [edits, last] = [0, 0];
  for (const touch of touches) {
    if (![touch.path, touch.cwd, now].some((text) => holdsName(target, text))) continue;
    const place = placeOf(touch, now, real);
    const name = ending === undefined
      ? place && nameIn(target, place)
      : nameWith(ending, place ?? touch.path);
    if (name === undefined) continue;
    files.add(name);
    edits += touch.edits;
    last = Math.max(last, touch.last ?? 0);
  }
  const last_at = last === 0 ? undefined : new Date(last).toISOString();
  return present({ files: [...files].sort(), edits, last_at });
}

/**
 * Returns the present path of a changed file: its real directory, moved with its project. Undefined
 * if the file's directory is unknown.
 */
export function placeOf(
  { path, cwd }: { path: string; cwd?: string | undefined },
  now: string | undefined,
  known: Map<string, string>,
): string | undefined {
  const name = now === cwd ? undefined : sessionDirectory(cwd)?.nameOf(path);
  const moved = name === undefined ? undefined : sessionDirectory(now)?.pathOf(name);
  const absolute = moved ?? sessionFilePath(path, cwd);
  const file = sessionDirectory(absolute);
  if (file?.local === undefined) return file && absolute;
  const folder = dirname(file.local);
  let real = known.get(folder);
  if (real === undefined) known.set(folder, real = realDirectory(folder));
  return join(real, basename(file.local));
}

function nameWith(names: readonly string[], path: string): string | undefined {
  const wanted = `/${names.join("/")}/`;
  return `/${path.replaceAll("\\", "/")}/`.includes(wanted) ? path : undefined;
}

/** Returns a path relative to the work tree. Undefined if the path is not the target or in it. */
function nameIn({ tops, name }: Target, path: string): string | undefined {
  const names = tops.map((top) => namesBelow(top, path, pathRules())).find((one) => one);
  if (names === undefined) return undefined;
  const own = names.join("/");
  if (name !== "" && own !== name && !own.startsWith(`${name}/`)) return undefined;
  return own === "" ? path : own;
}
