/** The status of an index. */
import { toSessionError } from "../../log/io_error.ts";
import { exists } from "../../log/own_file.ts";
import { removeSync } from "../../platform/files.ts";
import { indexDirectory, lockIndex } from "./index_folder.ts";
import { knownSessions, openSegments } from "./index_state.ts";
import type { AgentSession } from "../../source/agent.ts";

/** The state of an index: the sessions it holds, and those it lacks. */
export interface IndexStatus {
  /** `absent`: all is scanned; `damaged`: it is not used until it is built anew. */
  state: "absent" | "damaged" | "current" | "behind";
  /** Absolute path of its folder. */
  path: string;
  /** Bytes of its files. */
  bytes: number;
  /** Sessions that it knows, at least in part. */
  sessions: number;
  /** Texts of one role in one event. */
  texts: number;
  /** Sessions of which something is missing, and how many bytes of their logs. */
  behind_sessions: number;
  /** Bytes that it does not know yet. */
  behind_bytes: number;
  /** Sessions that it cannot take as they are, such as damaged ones: they are scanned. */
  passed_over: number;
  /** True where it may be updated now: its cache folder is there, and no process writes it. */
  may_update: boolean;
}

/**
 * Returns the state of an index for some sessions.
 *
 * @param cache The cache folder, as `library.cache`. @param sessions The sessions of a library.
 */
export function indexStatus(cache: string, sessions: readonly AgentSession[]): IndexStatus {
  const segments = openSegments(cache);
  const none = segments === undefined || segments === "damaged";
  const files = none ? [] : segments;
  const known = knownSessions(files, sessions);
  const behind = known.filter(({ settled }) => !settled);
  const behind_bytes = behind.reduce((sum, { missing_bytes }) => sum + missing_bytes, 0);
  const state = segments === undefined
    ? "absent"
    : segments === "damaged"
    ? "damaged"
    : behind.length > 0
    ? "behind"
    : "current";
  return {
    state,
    path: indexDirectory(cache),
    bytes: files.reduce((sum, { file }) => sum + file.bytes, 0),
    sessions: known.filter(({ parts }) => parts.length > 0).length,
    texts: known.flatMap(({ parts }) => parts).reduce((sum, { entry }) => sum + entry.count, 0),
    behind_sessions: behind.length,
    behind_bytes,
    passed_over: known.filter(({ settled, from }) => settled && from === 0).length,
    may_update: mayUpdate(cache),
  };
}

/** True if an index may be updated: its cache folder exists, and no other process writes it. */
function mayUpdate(cache: string): boolean {
  const directory = indexDirectory(cache);
  try {
    if (!exists(directory, "update index")) return exists(cache, "update index");
    using lock = lockIndex(directory);
    return lock !== undefined;
  } catch {
    // The folder is not writable.
    return false;
  }
}

/**
 * Removes an index; `locked` while another process is writing it.
 *
 * @param cache The cache folder, as `library.cache`.
 * @throws {SessionError} `permission`, `io`
 */
export function dropIndex(cache: string): "dropped" | "absent" | "locked" {
  const directory = indexDirectory(cache);
  if (!exists(directory, "remove index")) return "absent";
  using lock = lockIndex(directory);
  if (lock === undefined) return "locked";
  try {
    removeSync(directory, { recursive: true });
  } catch (error) {
    throw toSessionError(error, "remove index", directory);
  }
  return "dropped";
}
