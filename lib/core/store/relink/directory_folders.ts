/**
 * Finds the folders of a directory's sessions: its own namespace, and those of its former
 * directories.
 */
import { parseRef } from "../ref.ts";
import { type Marks, readMarks } from "../marks.ts";
import { formerDirectories } from "../relinks.ts";
import { findSession, type SessionFolder, sessionFolders } from "../session_folder.ts";

/** Returns the folders of sessions that may belong to `cwd`. The caller must check their marks. */
export function foldersOfDirectory(root: string, cwd: string, marks: Marks): SessionFolder[] {
  // A session that was relinked by itself can lie anywhere.
  const anywhere = [...marks.values()].some(({ relinked }) => relinked !== undefined);
  if (anywhere) return sessionFolders(root);
  return formerDirectories(cwd, marks.relinks).flatMap((one) => sessionFolders(root, one));
}

/**
 * Finds a session like {@linkcode findSession}. The sessions of `cwd` include those relinked to it.
 *
 * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`
 */
export function findFromDirectory(root: string, ref: string, cwd: string): SessionFolder {
  // Marks that cannot be read hide no session: lists tell of them.
  const marks = readMarks(root, () => {});
  const parsed = parseRef(ref);
  if (marks.relinks === undefined || parsed.kind !== "id") return findSession(root, ref, { cwd });
  const prefix = parsed.prefix.toLowerCase();
  const [only, ...others] = foldersOfDirectory(root, cwd, marks)
    .filter(({ session_id }) => session_id.startsWith(prefix));
  return only !== undefined && others.length === 0 ? only : findSession(root, ref);
}
