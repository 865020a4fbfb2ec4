/** Finds the sessions that changed a file, or files below a directory. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SessionError } from "../event/session_error.ts";
import type { SessionEntry } from "../library/query.ts";
import { nextTurn } from "../log/next_turn.ts";
import type { Prefilter } from "../search/prefilter/prefilter.ts";
import { mayHold } from "../search/scan/scan_session.ts";
import { isInProject, projectDirectories } from "../workspace/project.ts";
import { pathRules } from "../workspace/path_rules.ts";
import { realDirectory } from "../workspace/real_directory.ts";
import { sessionDirectory, sessionFilePath } from "../workspace/session_directory.ts";
import { namesBelow } from "../workspace/system_path.ts";
import { nameFilter, readEdits } from "./find_edits.ts";

/** The files that a session changed. */
export interface FileTouches {
  /** The files: below the top of the work tree, or absolute paths outside of one. In order. */
  files: string[];
  /** Number of changes of them that succeeded. */
  edits: number;
}

/** Options of {@linkcode findTouches}. */
export interface FindTouchesOptions {
  /** Gets what could not be read; the others are. @default {nothing} */
  onError?: (error: SessionError) => void;
  /** Tells how many of the sessions were looked through. */
  onProgress?: (done: number, all: number) => void;
  /** Stops looking; what was found until then is given. */
  signal?: AbortSignal;
}

/** A session, and the directory that it belongs to. */
export type TouchingEntry = Pick<SessionEntry, "session" | "cwd">;

/** A file or directory in all work trees of a repository, or the end of a path anywhere. */
interface Target {
  /** The last names of a path; undefined for one place. */
  ending?: readonly string[];
  tops: readonly string[];
  /** Its path below the top; empty for the top. */
  name: string;
  /** A filter for sessions that name the target; undefined if they need not name it. */
  filter: Prefilter | undefined;
}

/**
 * Finds what sessions changed of a file, or below a directory: in all threads, by calls that
 * succeeded. A file of another work tree of the repository is the same file. Where a project moved,
 * its sessions' paths did, too.
 *
 * @param entries The sessions to look through. @param path Absolute; it may be gone. A relative one
 * is the end of a path, or a folder with its last names, anywhere.
 * @returns Those that changed something of it, with what.
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
  { onError = () => {}, onProgress, signal }: FindTouchesOptions = {},
): Promise<Map<Entry, FileTouches>> {
  const target = targetOf(path);
  const found = new Map<Entry, FileTouches>();
  for (const [index, entry] of entries.entries()) {
    if (signal?.aborted) break;
    onProgress?.(index, entries.length);
    try {
      const touches = await touchesOf(entry, target);
      if (touches.edits > 0) found.set(entry, touches);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      onError(error);
    }
    await nextTurn();
  }
  return found;
}

function targetOf(path: string): Target {
  const named = sessionDirectory(path);
  if (named === undefined) {
    const ending = path.split(/[\\/]/).filter((name) => !["", "."].includes(name));
    return { ending, tops: [], name: "", filter: nameFilter(ending.slice(-1)) };
  }
  if (named.local === undefined) {
    return { tops: [path], name: "", filter: nameFilter([nameAtEnd(path)]) };
  }
  const real = realPath(path);
  const tops = projectDirectories(real);
  const top = tops.find((one) => isInProject(real, [one])) ?? real;
  const name = namesBelow(top, real, pathRules())?.join("/") ?? "";
  // Outside a repository, a file is its own top.
  const is_alone = name === "" && !existsSync(join(real, ".git"));
  return { tops, name, filter: nameFilter([basename(is_alone ? real : name)]) };
}

/** Returns the real path of a file. For a missing one, only its directory is resolved. */
function realPath(path: string): string {
  const absolute = resolve(path);
  return dirname(absolute) === absolute
    ? absolute
    : join(realDirectory(dirname(absolute)), basename(absolute));
}

function nameAtEnd(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

async function touchesOf({ session, cwd }: TouchingEntry, target: Target): Promise<FileTouches> {
  const touches: FileTouches = { files: [], edits: 0 };
  // Sessions inside the directory need not name it.
  const real_cwd = sessionDirectory(cwd)?.real;
  const inside = real_cwd !== undefined && nameIn(target, real_cwd) !== undefined;
  if (!inside && !await mayHold(target.filter, session)) return touches;
  const files = new Set<string>();
  const real = new Map<string, string>();
  for (const edit of await readEdits(session)) {
    const place = placeOf(edit, cwd, real);
    const { ending } = target;
    const name = ending === undefined
      ? place && nameIn(target, place)
      : nameWith(ending, place ?? edit.path);
    if (name === undefined) continue;
    files.add(name);
    touches.edits++;
  }
  touches.files = [...files].sort();
  return touches;
}

/**
 * Returns the present path of a changed file: its real directory, moved as its project was.
 * Undefined where its directory is unknown.
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

/** Returns a path that holds some names in a row; undefined for another. */
function nameWith(names: readonly string[], path: string): string | undefined {
  const wanted = `/${names.join("/")}/`;
  return `/${path.replaceAll("\\", "/")}/`.includes(wanted) ? path : undefined;
}

/**
 * Returns a path's name below its work tree if it is the target or below it; undefined for another.
 */
function nameIn({ tops, name }: Target, path: string): string | undefined {
  const names = tops.map((top) => namesBelow(top, path, pathRules())).find((one) => one);
  if (names === undefined) return undefined;
  const own = names.join("/");
  if (name !== "" && own !== name && !own.startsWith(`${name}/`)) return undefined;
  return own === "" ? path : own;
}
