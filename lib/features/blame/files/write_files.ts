/** Writes the files of a session into an empty directory. */
import { dirname, join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { lstatSync, mkdirSync, openSync, readDirSync } from "../../../core/platform/files.ts";
import { isNotFound } from "../../../core/platform/system_error.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import { realDirectory } from "../../../core/workspace/real_directory.ts";
import { sessionDirectory } from "../../../core/workspace/session_directory.ts";
import { bytesOf, CONFLICT, conflictingNames, projectPath } from "./project_path.ts";
import { IN_REPOSITORY, namesInRepositories } from "./repository_guard.ts";
import type { SessionFile, SessionFiles } from "./session_files.ts";

export interface WrittenFile {
  /** The file as the session names it. */
  path: string;
  /** Absolute path of the written file; absent if none was written. */
  written?: string;
  /** The reason why no file was written; absent if there was no file at the event. */
  reason?: string;
}

/**
 * Writes the files whose content is known to a directory, by their paths in the session's project.
 *
 * @param directory Absolute; it must be empty or missing.
 * @throws {SessionError} `unsafe-store` if the directory is not empty; `permission`, `disk-full`,
 * `io`
 */
export function writeFiles({ cwd, files }: SessionFiles, directory: string): WrittenFile[] {
  makeEmpty(directory);
  const root = realDirectory(directory);
  const base = cwd === undefined || sessionDirectory(cwd) === undefined ? "/" : cwd;
  const named = files.map((file) => ({ file, ...projectPath(base, file.path) }));
  const names = named.flatMap(({ name }) => name ?? []);
  const conflicting = conflictingNames(names);
  const unsafe = namesInRepositories(root, names);
  return named.map(({ file, name, reason }) => {
    const { path } = file;
    if (name === undefined) return { path, reason };
    if (conflicting.has(name)) return { path, reason: CONFLICT };
    if (unsafe.has(name)) return { path, reason: IN_REPOSITORY };
    return writeFile(file, join(root, name));
  });
}

function writeFile({ path, state: { content } }: SessionFile, target: string): WrittenFile {
  if (content === undefined) return { path, reason: "the file's content is unknown" };
  const bytes = bytesOf(content);
  if (bytes === undefined) return { path };
  try {
    mkdirSync(dirname(target), { recursive: true });
    const file = openSync(target, { write: true, createNew: true });
    try {
      writeWhole(file, bytes);
    } finally {
      file.close();
    }
    return { path, written: target };
  } catch (error) {
    const { code, message } = toSessionError(error, "write file", target);
    if (code === "disk-full") throw toSessionError(error, "write file", target);
    // Another file of the session has the name of a folder on the way.
    return { path, reason: message };
  }
}

function makeEmpty(directory: string): void {
  try {
    const info = lstatSync(directory);
    if (!info.isDirectory || [...readDirSync(directory)].length > 0) {
      const message = `Cannot write files: ${directory} is not an empty directory`;
      throw new SessionError("unsafe-store", message, { path: directory });
    }
  } catch (error) {
    if (!isNotFound(error)) throw toSessionError(error, "write files", directory);
    try {
      mkdirSync(directory, { recursive: true });
    } catch (failure) {
      throw toSessionError(failure, "make directory", directory);
    }
  }
}
