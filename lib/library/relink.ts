/** Assigns the sessions of a moved project to the project's new directory. */
import { SessionError } from "../core/event/session_error.ts";
import type { Summary } from "../core/projection/summary_row.ts";
import { readMarks } from "../core/store/marks.ts";
import type { Relink } from "../core/store/relinks.ts";
import {
  directorySpellings,
  relinkDirectories,
  unlinkDirectories,
} from "../core/store/relink/relink_directory.ts";
import type { LocalStore } from "../core/store/local_store.ts";
import { assertSafeStore } from "../core/store/store_safety.ts";
import { pathRules } from "../core/workspace/path_rules.ts";
import { isSamePath } from "../core/workspace/system_path.ts";
import type { Library } from "./library.ts";
import { rowsOf } from "./query/candidate.ts";

/**
 * Makes the sessions of a directory and its subdirectories belong to another directory.
 *
 * @param library The library with the sessions. @param store The store that records the move.
 * @param old Absolute path before the move; it may be gone. @param to Path after the move.
 * @returns The known sessions of `old`; undefined if both paths are of the same directory.
 * @throws {SessionError} `unsafe-store`, `permission`, `disk-full`, `io`
 */
export async function relinkProject(
  library: Library,
  store: LocalStore,
  old: string,
  to: string,
): Promise<Summary[] | undefined> {
  assertSafeStore(store.root);
  const spellings = directorySpellings(old).filter((path) => path !== to);
  if (spellings.length === 0) return undefined;
  const asked = { archived: "any", directories: spellings, rows: true } as const;
  const rows = await rowsOf((await library.query(asked)).entries);
  relinkDirectories(store.root, spellings, to, store.now().toISOString());
  return rows;
}

/**
 * Undoes all relinks of a directory.
 *
 * @param store The store that records the moves. @param old Absolute path before the move.
 * @throws {SessionError} `not-found` if there is no relink; `unsafe-store`, `permission`, `io`
 */
export function undoRelink(store: LocalStore, old: string): void {
  assertSafeStore(store.root);
  const relinks = relinksOf(store);
  const named = directorySpellings(old);
  const spellings = relinks.map(({ from }) => from)
    .filter((from) => named.some((path) => isSamePath(path, from, pathRules())));
  if (spellings.length === 0) {
    const message =
      `Cannot undo: directory ${old} was not moved with reprise relink; to list all ` +
      "moves: reprise relink --list";
    throw new SessionError("not-found", message, { path: old });
  }
  unlinkDirectories(store.root, spellings, store.now().toISOString());
}

export function relinksOf({ root }: LocalStore): readonly Relink[] {
  return readMarks(root).relinks ?? [];
}
