/** The folders of a store's sessions. */
import { join, sep } from "node:path";
import { LOG_FILE } from "../log/log_file.ts";
import { isNamespaceOf } from "../workspace/namespace.ts";
import { folderNames, ownFolderNames } from "./folder_names.ts";
import { parseFolderName, sessionIdIn } from "./session_id.ts";

export { LOG_FILE };

/** A session's folder. */
export interface SessionFolder {
  /** Absolute path of the folder. */
  directory: string;
  /** The log. */
  path: string;
  /** UUID v4, as the folder's name says. */
  session_id: string;
  /** ISO 8601, as the folder's name says. */
  created_at: string;
}

/** The folder of all sessions. */
export function sessionsDirectory(root: string): string {
  return join(root, "sessions");
}

/** The folder of what was removed. */
export function trashDirectory(root: string): string {
  return join(root, "trash");
}

/** The session folders below one folder. */
export function sessionFoldersIn(parent: string): SessionFolder[] {
  return [...eachFolderIn(parent)];
}

/** The log of each session of a store, with the session's id: there may be 100,000. */
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

function* eachFolderIn(parent: string): Generator<SessionFolder> {
  for (const name of folderNames(parent)) {
    const parsed = parseFolderName(name);
    if (parsed === undefined) continue;
    // Plain names of thousands of folders: to normalize each path takes as long as to look it up.
    const directory = `${parent}${sep}${name}`;
    yield { directory, path: `${directory}${sep}${LOG_FILE}`, ...parsed };
  }
}

/** All session folders of a store, or those in the namespace of one working directory. */
export function sessionFolders(root: string, cwd?: string): SessionFolder[] {
  return [...eachSessionFolder(root, cwd)];
}

function* eachSessionFolder(root: string, cwd?: string): Generator<SessionFolder> {
  const sessions = sessionsDirectory(root);
  for (const name of ownFolderNames(sessions)) {
    if (cwd === undefined || isNamespaceOf(name, cwd)) {
      yield* eachFolderIn(join(sessions, name));
    }
  }
}
