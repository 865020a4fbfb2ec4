/** Returns where a session's file lies in its project. Refuses paths that could lead elsewhere. */
import { join } from "node:path";
import { readShortFile, RECORDS_BYTES } from "../../../core/file/short_file.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { lstatSync } from "../../../core/platform/files.ts";
import { isNotADirectory, isNotFound } from "../../../core/platform/system_error.ts";
import { contentOf, type FileContent } from "../../../agents/contract/file_history.ts";
import { sessionDirectory } from "../../../core/workspace/session_directory.ts";

/** The path of a file below the project directory, or the reason why the file has none. */
export type ProjectPath = { name: string; reason?: undefined } | {
  name?: undefined;
  reason: string;
};

/** Matches folders of version control systems, and `git~1`, the short (8.3) name of `.git`. */
const CONTROL = /^(?:\.(?:git|hg|svn|bzr|jj|sl)|_(?:svn|darcs)|git~\d+)[. ]*$/;
/** Matches short (8.3) names of Windows. Any file with a longer name may have one too. */
const SHORT = /^[^.]{1,6}~\d+(?:\.[^.]{0,3})?$/;
/** Characters that some file systems ignore in names. */
const IGNORED = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Returns a name as file systems compare it: without case, composition and ignored characters. */
export function foldName(name: string): string {
  return name.replaceAll(IGNORED, "").normalize("NFC").toUpperCase().toLowerCase();
}

function isUnderControl(path: string): boolean {
  return path.split(/[/\\]/).some((part) => CONTROL.test(foldName(part)));
}

/**
 * Returns a path relative to a directory, with `/` as separator. A name that systems read in
 * different ways is refused. So are the files of version control programs, because these files name
 * programs to run.
 *
 * @param path Absolute, or below the directory.
 */
export function projectPath(directory: string, path: string): ProjectPath {
  if (/\p{Cc}/u.test(path)) return { reason: "the file name has a control character" };
  const name = sessionDirectory(directory)?.nameOf(path);
  if (!name) return { reason: "the file is outside the project directory" };
  const parts = name.split("/");
  if (isUnderControl(`${directory}/${name}`)) {
    return { reason: "the file belongs to git or to another version control system" };
  }
  if (parts.some((part) => DEVICE.test(part) || SHORT.test(part) || /[. ]$|[:\\]/.test(part))) {
    return { reason: "the file name has a different meaning on other operating systems" };
  }
  return { name };
}

/**
 * Returns the names that cannot exist together. Two names may differ only in case or composition,
 * or one name may be a folder of the other.
 */
export function conflictingNames(names: readonly string[]): Set<string> {
  const groups = Map.groupBy(new Set(names), foldName);
  const conflicting = new Set([...groups.values()].filter(({ length }) => length > 1).flat());
  for (const name of names) {
    const parts = foldName(name).split("/");
    for (let count = 1; count < parts.length; count++) {
      const file = groups.get(parts.slice(0, count).join("/"));
      for (const one of file ?? []) conflicting.add(one).add(name);
    }
  }
  return conflicting;
}

export const CONFLICT =
  "the path clashes with another file of the session. The names differ only in case, or one " +
  "path is a folder of the other";

export type ProjectFile =
  | { content: FileContent; mode: number | null; reason?: undefined }
  | { reason: string };

/**
 * Reads a file of a project. Each folder in its path must be a real folder, and no link.
 *
 * @param directory The project's real directory.
 * @param name A name that {@linkcode projectPath} returned.
 * @returns The file, or the reason not to touch it. The content is null if there is no file.
 */
export function readProjectFile(directory: string, name: string): ProjectFile {
  const parts = name.split("/");
  const path = join(directory, name);
  try {
    for (let count = 1; count < parts.length; count++) {
      const folder = lstatSync(join(directory, parts.slice(0, count).join("/")));
      if (folder.isSymlink) return { reason: "a folder in the file's path is a link" };
      if (!folder.isDirectory) return { reason: "a folder in the file's path is now a file" };
    }
    const { isSymlink, isFile, nlink, mode } = lstatSync(path);
    if (isSymlink) return { reason: "the file is a link" };
    if (!isFile) return { reason: "the path is not a regular file" };
    if ((nlink ?? 1) > 1) return { reason: "the file has a second name (a hard link)" };
    return { content: contentOf(readShortFile(path, RECORDS_BYTES, { follow: false })), mode };
  } catch (error) {
    if (isNotFound(error)) return { content: null, mode: null };
    if (isNotADirectory(error)) return { reason: "a folder in the file's path is now a file" };
    if (error instanceof SessionError) return { reason: error.message };
    return { reason: `the file cannot be read: ${error instanceof Error ? error.message : error}` };
  }
}

/**
 * Reads the content that a session's file now has in its project; undefined if it must not be read.
 *
 * @param cwd The session's directory.
 */
export function presentIn(cwd: string, path: string): FileContent | undefined {
  const own = sessionDirectory(cwd);
  if (own?.local === undefined) return undefined;
  const directory = own.real;
  const { name } = nameInProject(directory, cwd, path);
  const file = name === undefined ? undefined : readProjectFile(directory, name);
  return file === undefined || file.reason !== undefined ? undefined : file.content;
}

/** Returns a file's name in the project. The session may have recorded a path through links. */
export function nameInProject(directory: string, cwd: string, path: string): ProjectPath {
  const place = projectPath(directory, path);
  return place.name === undefined ? projectPath(cwd, path) : place;
}

export function bytesOf(content: FileContent): Uint8Array | undefined {
  if (content === null) return undefined;
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}
