/** Finds the folders of a store's sessions, and the session that a reference names. */
import { join, sep } from "node:path";
import { SessionError } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { LOG_FILE } from "../log/own_file.ts";
import { lstatSync, readDirSync } from "../platform/files.ts";
import { isNotADirectory, isNotFound } from "../platform/system_error.ts";
import { keptNames } from "./kept_names.ts";
import { parseRef } from "./ref.ts";
import { isNamespaceOf } from "../workspace/namespace.ts";
import { isUnique, parseFolderName, sessionIdIn } from "./session_id.ts";
import { discardUnsaved, isMissing } from "./unsaved_log.ts";

export { LOG_FILE };

/** The folder of a session, and the facts in its name. */
export interface SessionFolder {
  /** Absolute path of the folder. */
  directory: string;
  /** Absolute path of the log in the folder. */
  path: string;
  /** A UUID v4 or the id that a program gave, from the folder's name. */
  session_id: string;
  /** ISO 8601: time of creation, from the folder's name. */
  created_at: string;
}

export function sessionsDirectory(root: string): string {
  return join(root, "sessions");
}

export function trashDirectory(root: string): string {
  return join(root, "trash");
}

/** Yields the id and log path of each session of a store, one by one: there may be 100,000. */
export function* eachLog(root: string): Generator<{ id: string; path: string }> {
  const sessions = sessionsDirectory(root);
  for (const namespace of ownFolderNames(sessions)) {
    const parent = join(sessions, namespace);
    for (const name of folderNames(parent)) {
      const id = sessionIdIn(name);
      if (id !== undefined) yield { id, path: `${parent}${sep}${name}${sep}${LOG_FILE}` };
    }
  }
}

function* eachFolderIn(parent: string, id_prefix: string): Generator<SessionFolder> {
  const begin = `Z-${id_prefix}`.toLowerCase();
  for (const name of keptNames(parent, folderNames)) {
    // Of ten thousand names, a prefix leaves few to parse.
    const parsed = name.toLowerCase().includes(begin) ? parseFolderName(name) : undefined;
    if (parsed === undefined) continue;
    // Plain names of thousands of folders: to normalize each path takes as long as to look it up.
    const directory = `${parent}${sep}${name}`;
    yield { directory, path: `${directory}${sep}${LOG_FILE}`, ...parsed };
  }
}

/**
 * Lists the folders of a store's sessions.
 *
 * @param cwd The directory whose sessions are wanted. @default {all}
 * @param id_prefix Beginning of the wanted ids; case is ignored. May return other folders, too.
 */
export function sessionFolders(
  root: string,
  cwd?: string | undefined,
  id_prefix = "",
): SessionFolder[] {
  const sessions = sessionsDirectory(root);
  return ownFolderNames(sessions)
    .filter((name) => cwd === undefined || isNamespaceOf(name, cwd))
    .flatMap((name) => [...eachFolderIn(join(sessions, name), id_prefix)]);
}

const NAMED_CANDIDATES = 5;

export function ambiguous(
  ref: string,
  candidates: readonly string[],
  advice?: string,
): SessionError {
  const named = candidates.slice(0, NAMED_CANDIDATES).join(", ");
  const more = candidates.length > NAMED_CANDIDATES ? ", \u2026" : "";
  const next = advice ??
    (/[\\/]/.test(named) ? "give one of these references" : "type more of the id");
  const message =
    `Cannot choose session: "${ref}" matches ${candidates.length} sessions: ${named}${more}; ${next}`;
  return new SessionError("ambiguous", message, { ref, candidates: [...candidates] });
}

export function idPrefix(ref: string): string {
  const parsed = parseRef(ref);
  if (parsed.kind === "id") return parsed.prefix;
  throw new SessionError("invalid-ref", `Cannot use reference "${ref}": give a session id`, {
    ref,
  });
}

/**
 * Finds the session whose id begins with `ref`: among those of `cwd` first, then among all.
 *
 * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`
 */
export function findSession(
  root: string,
  ref: string,
  { cwd, whole = false }: { cwd?: string; whole?: boolean } = {},
): SessionFolder {
  const prefix = idPrefix(ref);
  const scopes = cwd === undefined ? [undefined] : [cwd, undefined];
  for (const scope of scopes) {
    const found = namedBy(prefix, sessionFolders(root, scope, prefix), whole);
    const [folder] = found;
    if (found.length > 1) throw ambiguous(ref, found.map(({ session_id }) => session_id));
    if (folder !== undefined) return folder;
  }
  const message = `Cannot find session "${ref}"; store.list() has all sessions`;
  throw new SessionError("not-found", message, { ref });
}

/**
 * Returns the session whose id equals a reference, otherwise the sessions whose UUIDs begin with
 * the reference. An id that is not a UUID must be given whole: `user-1` is not `user-10`. Case is
 * ignored.
 *
 * @param only_whole True to compare whole ids only. Case then counts, except in UUIDs.
 */
export function namedBy<Session extends { session_id: string }>(
  prefix: string,
  sessions: readonly Session[],
  only_whole = false,
): Session[] {
  const wanted = prefix.toLowerCase();
  const found = sessions.filter(({ session_id }) => {
    const id = session_id.toLowerCase();
    if (only_whole) return isUnique(id) ? id === wanted : session_id === prefix;
    return isUnique(id) ? id.startsWith(wanted) : id === wanted;
  });
  const whole = found.filter(({ session_id }) => session_id.length === wanted.length);
  return whole.length === 1 ? whole : found;
}

/**
 * Refuses an id that a session has already. A log in which nothing was saved is no session.
 *
 * @throws {SessionError} `exists`
 */
export function assertFree(root: string, id: string): void {
  const found = namedBy(id, sessionFolders(root, undefined, id));
  const taken = found.filter((folder) => !discardUnsaved(folder));
  if (taken.some(({ path }) => isMissing(path))) {
    const message =
      `Cannot create session: a process began a session with the id ${id} and wrote ` +
      "nothing yet; if it was killed, the id is free within a minute: try again";
    throw new SessionError("exists", message, { ref: id });
  }
  assertNotTaken(id, taken);
}

export function assertNotTaken(id: string, found: readonly { session_id: string }[]): void {
  if (!found.some(({ session_id }) => session_id.toLowerCase() === id.toLowerCase())) return;
  const message = `Cannot create session: another session has the id ${id}; give another id, or ` +
    "use store.resume() to continue it";
  throw new SessionError("exists", message, { ref: id });
}

/** Returns the names of a folder's folders, unsorted, without links. A missing folder has none. */
export function folderNames(path: string): string[] {
  try {
    return [...readDirSync(path)].filter((entry) => entry.isDirectory).map(({ name }) => name);
  } catch (error) {
    if (isNotFound(error) || isNotADirectory(error)) {
      return [];
    }
    throw toSessionError(error, "list sessions", path);
  }
}

/**
 * Lists the folders in a folder of the store like {@linkcode folderNames}. A link is refused,
 * because it could lead anywhere.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `io`
 */
export function ownFolderNames(path: string): string[] {
  if (isLink(path)) {
    const message =
      `Cannot read store: the path is a link; replace the link with the folder itself: ${path}`;
    throw new SessionError("unsafe-store", message, { path });
  }
  return folderNames(path);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymlink;
  } catch {
    // Missing or unreadable: listing it reports the error.
    return false;
  }
}
