/** Puts files of a session back into its project, and undoes the restore. */
import { dirname, join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import {
  chmodSync,
  mkdirSync,
  openSync,
  removeSync,
  renameSync,
} from "../../../core/platform/files.ts";
import type { FileContent } from "../../../agents/contract/file_history.ts";
import { isSameContent } from "./file_states.ts";
import {
  type FormerFile,
  hashOf,
  keepFiles,
  keptContent,
  type KeptFiles,
  lockRestores,
  markUndone,
  temporaryName,
  temporaryNames,
} from "./kept_files.ts";
import {
  bytesOf,
  CONFLICT,
  conflictingNames,
  nameInProject,
  projectPath,
  readProjectFile,
} from "./project_path.ts";
import { IN_REPOSITORY, namesInRepositories } from "./repository_guard.ts";
import { type RestoreStep, restoreStep } from "./restore_plan.ts";
import type { SessionFiles } from "./session_files.ts";

export interface RestoredFile {
  /** The file as the session names it. */
  path: string;
  /** Path of the file below the project directory; absent if the file is outside. */
  name?: string;
  step: RestoreStep;
  /** The file's present content and mode; absent if the file was not read. */
  now?: { content: FileContent; mode: number | null };
}

export interface RestorePlan {
  /** Real path of the project directory. */
  directory: string;
  seq: number;
  files: RestoredFile[];
}

/**
 * Plans how to put each file back, but writes nothing.
 *
 * @param directory The project's real directory. @param likely True to use contents of grade
 * `likely`.
 */
export function planRestore(
  { cwd, seq, files }: SessionFiles,
  directory: string,
  likely: boolean,
): RestorePlan {
  const named = files.map((file) => ({
    file,
    ...nameInProject(directory, cwd ?? directory, file.path),
  }));
  const names = named.flatMap(({ name }) => name ?? []);
  const conflicting = conflictingNames(names);
  const unsafe = namesInRepositories(directory, names);
  return {
    directory,
    seq,
    files: named.map(({ file, name, reason }): RestoredFile => {
      const { path } = file;
      if (name === undefined) return { path, step: refused(reason) };
      if (conflicting.has(name)) return { path, name, step: refused(CONFLICT) };
      if (unsafe.has(name)) return { path, name, step: refused(IN_REPOSITORY) };
      const now = readProjectFile(directory, name);
      if (now.reason !== undefined) return { path, name, step: refused(now.reason) };
      return { path, name, now, step: restoreStep(file, now.content, likely) };
    }),
  };
}

function refused(reason: string): RestoreStep {
  return { kind: "refused", reason };
}

/**
 * Carries out a plan. First stores each content that the plan replaces or deletes.
 *
 * @returns The folder of the stored contents; undefined if no file had to change.
 * @throws {SessionError} `locked` where a file changed meanwhile; `permission`, `disk-full`, `io`
 */
export function restoreFiles(
  { directory, seq, files }: RestorePlan,
  { root, ref, time }: { root: string; ref: string; time: Date },
): string | undefined {
  const changed = files.flatMap(({ name, step, now }) =>
    name === undefined || now === undefined || !("content" in step)
      ? []
      : [{ name, before: now.content, mode: now.mode, after: step.content }]
  );
  if (changed.length === 0) return undefined;
  using _lock = lockRestores(root);
  removeAbandoned(root, directory);
  const folder = keepFiles(root, { ref, seq, directory, time: time.toISOString() }, changed);
  for (const [index, { name, before, after, mode }] of changed.entries()) {
    const temporary = temporaryName(folder, name, index);
    try {
      replaceProjectFile({ directory, name, mode, temporary }, before, after);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      const message =
        `${error.message}. Some files were already restored. To undo the restore: --undo`;
      throw new SessionError(error.code, message, error.data, error);
    }
  }
  return folder;
}

export interface UndoneFile {
  name: string;
  step: "put-back" | "delete" | "same" | "refused";
  reason?: string;
}

/**
 * Undoes a restore. Files that somebody changed since stay as they are.
 *
 * @param write False to only report the effect on each file.
 * @throws {SessionError} `damaged`, `locked`, `permission`, `disk-full`, `io`
 */
export function undoRestore(root: string, kept: KeptFiles, write: boolean): UndoneFile[] {
  using _lock = write ? lockRestores(root) : undefined;
  if (write) removeAbandoned(root, kept.directory);
  const undone = kept.files.map((file, index) => undoFile(kept, file, index, write));
  if (write && undone.every(({ step }) => step !== "refused")) markUndone(kept);
  return undone;
}

/** Removes temporary files of killed restores. The caller must hold the restore lock. */
function removeAbandoned(root: string, directory: string): void {
  for (const name of temporaryNames(root, directory)) {
    const { reason, content } = { content: null, ...readProjectFile(directory, name) };
    if (reason === undefined && content !== null) removeQuietly(join(directory, name));
  }
}

function undoFile(kept: KeptFiles, file: FormerFile, index: number, write: boolean): UndoneFile {
  const { directory, folder } = kept;
  const { name, mode } = file;
  const place = projectPath(directory, name);
  const reason = place.name === name
    ? undefined
    : place.reason ?? "the recorded file name is not normalized (it has parts such as . or ..)";
  if (reason !== undefined) return { name, step: "refused", reason };
  const now = readProjectFile(directory, name);
  if (now.reason !== undefined) return { name, step: "refused", reason: now.reason };
  const before = keptContent(kept, file);
  if (isSameContent(now.content, before)) return { name, step: "same" };
  if (hashOf(now.content) !== file.after) {
    return { name, step: "refused", reason: "the file was changed after the restore" };
  }
  const temporary = temporaryName(folder, name, index);
  if (write) replaceProjectFile({ directory, name, mode, temporary }, now.content, before);
  return { name, step: before === null ? "delete" : "put-back" };
}

/** Writes `after` to a file (null deletes it). Throws if the content is no longer `before`. */
function replaceProjectFile(
  { directory, name, mode, temporary }: {
    directory: string;
    name: string;
    mode: number | null;
    temporary: string;
  },
  before: FileContent,
  after: FileContent,
): void {
  const path = join(directory, name);
  const bytes = bytesOf(after);
  let made: string | undefined;
  try {
    if (bytes !== undefined) {
      checkUnchanged(directory, name, before);
      mkdirSync(dirname(path), { recursive: true });
      const target = join(directory, temporary);
      using file = openSync(target, { write: true, createNew: true });
      made = target;
      writeWhole(file, bytes);
      file.syncSync();
    }
    if (made !== undefined && mode !== null) chmodSync(made, mode & 0o777);
    checkUnchanged(directory, name, before);
    if (made === undefined) removeSync(path);
    else renameSync(made, path);
  } catch (error) {
    if (made !== undefined) removeQuietly(made);
    throw toSessionError(error, "restore file", path);
  }
}

function checkUnchanged(directory: string, name: string, before: FileContent): void {
  const now = readProjectFile(directory, name);
  if (now.reason === undefined && isSameContent(now.content, before)) return;
  const path = join(directory, name);
  throw new SessionError(
    "locked",
    `Cannot restore file: the file changed in the meantime: ${path}`,
    { path },
  );
}
