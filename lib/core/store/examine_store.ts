/**
 * Checks a store's files: modes, owners, links, leftovers and unreadable logs. Reads only the start
 * and end of logs.
 */
import { dirname, join } from "node:path";
import { SessionError } from "../event/session_error.ts";
import { isDraftInUse } from "../file/draft_file.ts";
import { readShortText } from "../file/short_file.ts";
import { isSystemError } from "../log/io_error.ts";
import { mayBeLocked } from "../log/session_lock.ts";
import { othersMay } from "../platform/file_mode.ts";
import type { FileInfo } from "../platform/file_system.ts";
import { chmodSync, lstatSync, readDirSync, removeSync } from "../platform/files.ts";
import { ownUser } from "../platform/process.ts";
import { isNotFound } from "../platform/system_error.ts";
import { readConfig } from "../workspace/config_file.ts";
import { isDraftName } from "./copy/log_draft.ts";
import { readLogEdges } from "./read_summary.ts";
import { LOG_FILE, sessionsDirectory, trashDirectory } from "./session_folder.ts";
import { unsafeReason } from "./store_safety.ts";
import { removeDraft } from "./trash/leftover.ts";

export interface StoreProblem {
  /** The code of the problem. It is stable, so programs may rely on it. */
  code:
    | "owner"
    | "mode"
    | "link"
    | "leftover"
    | "unreadable"
    | "config"
    | "no-log"
    | "identity"
    | "cache";
  path: string;
  /** A description for people. Its words may change at any time. */
  detail: string;
  /** Repairs the problem; absent if only a person can. */
  fix?: () => void;
}

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

export function* examineStore(root: string): Generator<StoreProblem> {
  yield* examinePath(root);
  yield* examineConfig(root);
  for (const path of identitiesIn(root, OWN, MOST_DEPTH)) {
    const detail = "this file contains an age secret key, and backups of the store would " +
      "include the key; move the file elsewhere";
    yield { code: "identity", path, detail };
  }
}

export function* examinePath(path: string): Generator<StoreProblem> {
  let info: FileInfo;
  try {
    info = lstatSync(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (isNotFound(error)) return;
    yield { code: "unreadable", path, detail: error.message };
    return;
  }
  yield* examineEntry(path, info);
}

function* examineEntry(path: string, info: FileInfo): Generator<StoreProblem> {
  if (info.isSymlink) {
    yield {
      code: "link",
      path,
      detail: "this is a symbolic link, and it could lead out of the store",
    };
    return;
  }
  if (info.isDirectory && isDraftName(path)) {
    yield* examineDraft(path);
    return;
  }
  yield* examineMode(path, info);
  if (info.isDirectory) yield* examineDirectory(path);
  else if (info.isFile) yield* examineFile(path, info);
  else yield { code: "link", path, detail: "this is neither a file nor a folder" };
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, "0");
}

function* examineMode(path: string, info: FileInfo): Generator<StoreProblem> {
  if (info.mode === null) return;
  const wanted = info.isDirectory ? DIRECTORY_MODE : FILE_MODE;
  const foreign = info.uid !== ownUser() ? unsafeReason(info) : undefined;
  if (foreign !== undefined) {
    yield { code: "owner", path, detail: foreign };
  } else if (othersMay("anything", info.mode)) {
    const detail = `other users have access (mode ${octal(info.mode)}); the mode should be ${
      octal(wanted)
    }`;
    // A file with a second name may be one that lies elsewhere, and its mode is not ours to change.
    const fix = { fix: () => setMode(path, info, wanted) };
    yield { code: "mode", path, detail, ...(hasOneName(info) ? fix : {}) };
  }
}

function hasOneName({ isDirectory, nlink }: FileInfo): boolean {
  return isDirectory || (nlink ?? 1) === 1;
}

/** Changes the mode, unless the path names another file or folder than `seen`. */
function setMode(path: string, seen: FileInfo, mode: number): void {
  const now = lstatSync(path);
  const same = now.dev === seen.dev && now.ino === seen.ino && hasOneName(now);
  if (same && !now.isSymlink) chmodSync(path, mode);
}

/** Reports the draft of an unfinished fork, merge or import, unless a process writes it. */
function* examineDraft(path: string): Generator<StoreProblem> {
  if (mayBeLocked(path)) return;
  const detail = "this session has no end: the process that wrote it was killed";
  yield { code: "leftover", path, detail, fix: () => removeDraft(path) };
}

/** True for a session's folder. A lock inside does not prove it, because an index has one, too. */
function isSessionFolder(path: string): boolean {
  const namespaces = dirname(dirname(path));
  const root = dirname(namespaces);
  return namespaces === sessionsDirectory(root) || namespaces === trashDirectory(root);
}

function* examineDirectory(path: string): Generator<StoreProblem> {
  let names: string[];
  try {
    names = [...readDirSync(path)].map(({ name }) => name).sort();
  } catch (error) {
    yield { code: "unreadable", path, detail: error instanceof Error ? error.message : "" };
    return;
  }
  for (const name of names) yield* examinePath(join(path, name));
  if (
    isSessionFolder(path) && names.includes("lock") && !names.includes(LOG_FILE) &&
    !mayBeLocked(path)
  ) {
    yield { code: "no-log", path, detail: "this session is empty: nothing was ever written to it" };
  }
  if (names.includes("lock.json") && !mayBeLocked(path)) {
    const note = join(path, "lock.json");
    const detail =
      "a process that was killed left this lock file behind; no process uses it any more";
    yield { code: "leftover", path: note, detail, fix: () => removeSync(note) };
  }
}

function* examineFile(path: string, info: FileInfo): Generator<StoreProblem> {
  if (isDraftName(path)) {
    if (isDraftInUse(path)) return;
    const detail = "this is a temporary file of a write that was not finished";
    yield { code: "leftover", path, detail, fix: () => removeSync(path) };
  } else if ((info.nlink ?? 1) > 1) {
    yield {
      code: "link",
      path,
      detail: `the file has ${info.nlink} names (hard links), but should have one`,
    };
  } else if (path.endsWith(LOG_FILE)) {
    yield* examineLog(path);
  }
}

function* examineLog(path: string): Generator<StoreProblem> {
  try {
    const { state, bytes } = readLogEdges(path);
    if (bytes === 0) yield { code: "no-log", path, detail: "the log is empty" };
    else if (state.last_seq === undefined) {
      yield {
        code: "unreadable",
        path,
        detail: "the log has no readable event at its start or end; see: reprise doctor REF",
      };
    }
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    yield { code: "unreadable", path, detail: error.message };
  }
}

function* examineConfig(root: string): Generator<StoreProblem> {
  try {
    readConfig(root);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    yield { code: "config", path: join(root, "config.json"), detail: error.message };
  }
}

/** Folders not searched for age identities, because their sessions may quote identities. */
const OWN: ReadonlySet<string> = new Set([
  "sessions",
  "trash",
  "remote",
  "index",
  "sync",
  "restored",
]);
/** Maximum size in bytes of a file that is searched for an age identity. */
const MOST_BYTES = 64 * 1024;
const MOST_DEPTH = 3;
const IDENTITY = /^AGE-(?:SECRET-KEY|PLUGIN)-/m;

/** Yields the paths of files in a data root that contain an age identity, which is a secret key. */
function* identitiesIn(
  folder: string,
  passed: ReadonlySet<string>,
  depth: number,
): Generator<string> {
  for (const name of namesIn(folder)) {
    if (passed.has(name)) continue;
    const path = join(folder, name);
    const { isDirectory, isFile, size } = lstatSync(path);
    if (isDirectory && depth > 0) yield* identitiesIn(path, new Set(), depth - 1);
    else if (isFile && size <= MOST_BYTES && holdsIdentity(path)) yield path;
  }
}

function namesIn(folder: string): string[] {
  try {
    return [...readDirSync(folder)].map(({ name }) => name).sort();
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function holdsIdentity(path: string): boolean {
  try {
    return IDENTITY.test(readShortText(path, MOST_BYTES));
  } catch (error) {
    // A file that cannot be read is reported for its mode.
    if (error instanceof SessionError || isSystemError(error)) return false;
    throw error;
  }
}
